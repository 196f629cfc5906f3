"""How the appliance is: what is measured, when that is good, and what to do where it is not.

One table (`device.health.checks.CHECKS`) says all of it; `schockauge doctor`, the page `/health`,
`/healthz`, `/metrics`, the alarms in the log and docs/health.md are made from it.
"""
