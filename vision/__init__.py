"""Dice on a table: frames in, table events out. Knows dice, cups and mats, nothing of a game.

Reading order: `detections` (the one value type), `detector` (the models), `reader` (a loose
photograph), `calibration` (a fixed camera), `scene` (what lies where over time), `throws` (what
happened) and `watcher`, which puts the last four together.
"""
