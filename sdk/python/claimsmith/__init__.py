"""Plugins for Claimsmith in Python.

A claims plugin is a function, given to :func:`claimsmith.claims.claims_plugin`; a webhook transform one given to
:func:`claimsmith.transform.transform_plugin`; a message plugin one given to
:func:`claimsmith.message.message_plugin`. What is logged with :mod:`logging` is in the plugin's log.
"""
