"""The appliance: cameras, store, pipeline, dashboard server and the command line."""
