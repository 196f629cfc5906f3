"""Dice on a table: frames in, table events out. Knows dice, cups and mats, nothing of a game.

Reading order: `detections` (the one value type), `detector` (finds), `readers` (name and count what
was cut out), `eye` (a look: found and named), `confidence` (how likely all that is), `reader` (a
loose photograph). At a table: `calibration` and `viewpoint` (a fixed camera), `stance` and
`outline` (flat, tower or burning, by looks and by geometry), `prints` (what belongs to the mat),
`scene` (what lies where over time), `throws` (what happened) and `watcher`, which puts all of them
together. Where everybody has a part of the mat: `seats` (whose), `parts` (pixels), `placing` and
`visitors` (things) and `seating` (throws).
"""
