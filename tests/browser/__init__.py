"""Tests of the web page. They are a package, so that one Chromium serves all of them and then ends: while it runs, no
other test can run an event loop."""
