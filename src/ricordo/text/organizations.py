"""Well-known firms and institutions, and the words that make a name an organization's. No rule is here."""

from __future__ import annotations

from ricordo.text.english import word_set

#: In their usual spelling; none is a common word.
ORGANIZATIONS = tuple(
    name.strip()
    for name in """
Accenture|Airbus|Airbnb|Alibaba|Amazon|AMD|Anthropic|AstraZeneca|Audi|BASF|Bayer|BBC|BMW|Boeing|Bosch|Capgemini|
Cisco|Citibank|CNN|Coca-Cola|Costco|Daimler|Deloitte|Deutsche Bahn|Deutsche Bank|DHL|Dropbox|eBay|Ericsson|
ExxonMobil|Facebook|FedEx|Fujitsu|GitHub|GitLab|Goldman Sachs|Google|Greenpeace|Heineken|Hitachi|HSBC|Huawei|
IBM|Ikea|Instagram|Intel|JPMorgan|KPMG|Lenovo|LinkedIn|Lockheed Martin|Lufthansa|McDonald's|McKinsey|Microsoft|
Morgan Stanley|NASA|Nestlé|Netflix|Nintendo|Nokia|Novartis|NVIDIA|OpenAI|Pfizer|Philips|Porsche|PwC|Qualcomm|
Red Cross|Reddit|Renault|Ryanair|Salesforce|Samsung|Shopify|Siemens|SoftBank|Sony|SpaceX|Spotify|Starbucks|
Telefónica|Thales|Twitter|Uber|Unicef|UNESCO|Unilever|Vodafone|Volkswagen|Walmart|Wells Fargo|YouTube|Zalando|
ZDF|Zillow|New York Times
""".replace("\n", "").split("|")
)

#: Last words of a firm's or an institution's name.
SUFFIXES = word_set(
    """
    inc corp corporation ltd llc plc gmbh ag kg ab oy sarl university college bank labs institute
    hospital airlines clinic holdings agency academy studios
    """
)
#: First words of names such as "University of Toronto".
HEADS = word_set("university bank institute museum college ministry")
