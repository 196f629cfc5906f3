"""`python -m device` is `schockauge`."""

import sys

from device.cli import main

sys.exit(main())
