"""The appliance: cameras, store, pipeline, dashboard server and the command line."""

import os

# The OpenBLAS inside OpenCV starts threads while it is still being loaded, and one that runs before
# its allocator is there calls nothing: now and then a process died at its start. Nothing here is
# large enough to be multiplied by several threads. Whoever names a number keeps it.
os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
