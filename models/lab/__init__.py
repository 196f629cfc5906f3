"""The laboratory: physics, rendering, training and export of the networks (extra `train`)."""
