"""The commands to try, and the batches that they make for several judges."""
import decimal
import functools
import json
import os

import pytest

pytest.register_assert_rewrite("programs", "page")
from model.files import ROOT  # noqa: E402
from programs import run  # noqa: E402

decimal.DefaultContext.prec = 400  # of all threads
decimal.setcontext(decimal.DefaultContext)


def pytest_addoption(parser):
    parser.addoption("--settle", default=ROOT / ".build/release/settle", help="the command to try")
    parser.addoption("--deliver", default=ROOT / ".build/deliver/release/settle-deliver", help="its companion")
    parser.addoption("--release", help="a folder that tools/release made")


def path_of(request, name):
    path = os.path.realpath(request.config.getoption(name))
    assert os.access(path, os.X_OK), f"{path}: is not a command; build it first, or name one"
    return path


@pytest.fixture(scope="session")
def settle_path(request):
    return path_of(request, "settle")


@pytest.fixture(scope="session")
def deliver_path(request):
    return path_of(request, "deliver")


@pytest.fixture(scope="session")
def settle(settle_path):
    """Runs settle as `programs.run` does."""
    return functools.partial(run, settle_path)


@pytest.fixture(scope="session")
def generated(settle, tmp_path_factory):
    """Makes a batch of this number of payments, once for each choice of options."""
    @functools.cache
    def make(payments, *options):
        batch = tmp_path_factory.mktemp("generated") / "batch.jsonl"
        settle("generate", "--payments", payments, "--output", batch, *options)
        return batch

    return make


@pytest.fixture(scope="session")
def returning(tmp_path_factory):
    """The published fees, but refunds return them."""
    path = tmp_path_factory.mktemp("fees") / "returning.json"
    path.write_text(json.dumps(json.loads((ROOT / "data/fees.json").read_text()) | {"refunds": "RETURN"}))
    return path


@pytest.fixture(scope="session")
def named(returning):
    """Named fees: two with VAT in all currencies, one of which refunds keep."""
    path = returning.with_name("named.json")
    text = json.loads(returning.read_text())
    text["plans"]["market"] = {"fees": [
        {"name": "payment-2", "rate": "0.029", "fixed": text["plans"][text["default"]]["fixed"], "vat": "0.19", "refunds": "KEEP"},
        {"name": "commission", "rate": "0.12", "base": "ITEMS", "vat": "0.07"}]}
    path.write_text(json.dumps(text | {"default": "market"}))
    return path


@pytest.fixture(scope="session")
def browser():
    from page.browser import Browser  # playwright takes a moment to load

    browser = Browser()
    yield browser
    browser.close()
