"""The page Costs: C13's money by use, model and day, caps and what they stopped, prices."""

from __future__ import annotations

from dataclasses import replace
from decimal import Decimal

import pytest
from playwright.sync_api import Page, expect

from browsers import Viewer, require_accessible
from http_server import Server
from llm_server import MODEL, serving
from ricordo.blocking import Memory
from ricordo.errors import CapReached


@pytest.fixture
def costs(viewer: Viewer) -> Page:
    page = viewer.sign_in("costs")
    page.get_by_role("region", name="Spending caps").wait_for()
    return page


def test_c13_without_a_model_there_is_nothing_to_pay(costs: Page) -> None:
    expect(costs.get_by_text("No model calls yet")).to_be_visible()
    expect(costs.get_by_role("region", name="All time")).to_contain_text("$0.00")
    require_accessible(costs)


def test_c13_calls_are_counted_capped_and_priced(costs: Page, served: Server) -> None:
    prices = costs.get_by_role("region", name="Custom prices")
    prices.get_by_label("Model").fill(MODEL)
    prices.get_by_label("Input", exact=True).fill("1000")
    prices.get_by_label("Output", exact=True).fill("1000")
    prices.get_by_role("button", name="Save price").click()
    expect(prices.get_by_role("cell", name=MODEL, exact=True)).to_be_visible()
    with serving(lambda _: "Sixteen cells [§ W-001/R-01/D-001].") as endpoint:
        settings = replace(served.settings, user="ada", llm_url=endpoint.address, llm_model=MODEL)
        with Memory(settings=settings, background=False) as ada:
            ada.ask("Which battery did we choose?")
            spent = ada.usage.report().total.cost
            assert spent > 0
            costs.get_by_label("Per month").fill("0.000001")
            costs.get_by_role("region", name="Spending caps").get_by_role("button", name="Save").click()
            expect(costs.get_by_text("Saved", exact=True)).to_be_visible()
            with pytest.raises(CapReached):
                ada.ask("And which charger?")
    costs.reload()
    month = costs.get_by_role("region", name="This month")
    expect(month).to_contain_text("1 call stopped by a cap")
    expect(costs.get_by_role("region", name="Breakdown")).to_contain_text("Answers")
    costs.get_by_role("radiogroup", name="Group by").get_by_text("Model").click()
    expect(costs.get_by_role("region", name="Breakdown")).to_contain_text(MODEL)
    expect(costs.get_by_role("region", name="Latest calls")).to_contain_text("stopped by the month's cap")
    assert Decimal(served.get("/v1/usage")["total"]["cost"]) == spent
    require_accessible(costs)
    costs.get_by_label("Per month").fill("much")
    costs.get_by_role("region", name="Spending caps").get_by_role("button", name="Save").click()
    expect(costs.get_by_role("region", name="Spending caps").get_by_role("alert")).to_be_visible()
