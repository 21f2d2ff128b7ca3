"""The sub-commands of ``waiter``: each module has ``add_parser`` and ``run``.

``add_parser(subparsers)`` adds its own parser with ``set_defaults(run=run)``;
``run(args)`` returns the exit code. ``args.config`` is the file of ``--config`` or
``None``.
"""
