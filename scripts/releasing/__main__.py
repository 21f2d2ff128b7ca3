"""Entry of `python -m releasing`."""

from .command import main

raise SystemExit(main())
