"""`python -m benchmarks`: the figures as JSON lines."""

from .command import main

raise SystemExit(main())
