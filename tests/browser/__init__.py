"""Tests of the web page. A package, so that a Chromium lasts for all of them and no longer: while it is there, no other
test could run an event loop."""
