"""`python -m demohome`: the demo."""

from .main import main

raise SystemExit(main())
