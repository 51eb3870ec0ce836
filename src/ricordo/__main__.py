"""`python -m ricordo` is the `ricordo` command."""

import sys

from ricordo.cli import main

sys.exit(main())
