"""Dice on a table: frames in, table events out. Knows dice, cups and mats, nothing of a game.

Reading order: `detections` (the one value type), `detector` (finds), `readers` (name and count what
was cut out), `eye` (a look: found and named), `confidence` (how likely all that is), `reader` (a
loose photograph), `calibration` (a fixed camera), `scene` (what lies where over time), `throws`
(what happened) and `watcher`, which puts the last four together.
"""
