"""Countries, large regions and cities by their usual names, and which of them are other words too. No rule is here."""

from __future__ import annotations

from ricordo.text.english import word_set

_COUNTRIES = """
Afghanistan|Albania|Algeria|Andorra|Angola|Argentina|Armenia|Australia|Austria|Azerbaijan|Bahamas|Bahrain|
Bangladesh|Barbados|Belarus|Belgium|Belize|Benin|Bhutan|Bolivia|Bosnia|Botswana|Brazil|Brunei|Bulgaria|Burundi|
Cambodia|Cameroon|Canada|Chile|China|Colombia|Congo|Costa Rica|Croatia|Cuba|Cyprus|Czech Republic|Czechia|
Denmark|Dominican Republic|Ecuador|Egypt|El Salvador|England|Estonia|Ethiopia|Fiji|Finland|France|Gabon|Gambia|
Georgia|Germany|Ghana|Greece|Greenland|Grenada|Guatemala|Guinea|Guyana|Haiti|Honduras|Hungary|Iceland|India|
Indonesia|Iran|Iraq|Ireland|Israel|Italy|Ivory Coast|Jamaica|Japan|Jordan|Kazakhstan|Kenya|Kosovo|Kuwait|
Kyrgyzstan|Laos|Latvia|Lebanon|Lesotho|Liberia|Libya|Liechtenstein|Lithuania|Luxembourg|Madagascar|Malawi|
Malaysia|Maldives|Mali|Malta|Mauritania|Mauritius|Mexico|Moldova|Monaco|Mongolia|Montenegro|Morocco|Mozambique|
Myanmar|Namibia|Nepal|Netherlands|New Zealand|Nicaragua|Niger|Nigeria|North Korea|North Macedonia|
Northern Ireland|Norway|Oman|Pakistan|Palestine|Panama|Papua New Guinea|Paraguay|Peru|Philippines|Poland|
Portugal|Puerto Rico|Qatar|Romania|Russia|Rwanda|Saudi Arabia|Scotland|Senegal|Serbia|Seychelles|Sierra Leone|
Singapore|Slovakia|Slovenia|Somalia|South Africa|South Korea|Spain|Sri Lanka|Sudan|Suriname|Sweden|Switzerland|
Syria|Taiwan|Tajikistan|Tanzania|Thailand|Togo|Trinidad|Tunisia|Turkey|Turkmenistan|Uganda|Ukraine|
United Arab Emirates|United Kingdom|United States|Uruguay|USA|UK|Uzbekistan|Vatican|Venezuela|Vietnam|Wales|
Yemen|Zambia|Zimbabwe|Antarctica|Deutschland|Österreich|Schweiz|Frankreich|Italien|Spanien|Schweden|Norwegen|
Dänemark|Polen|Niederlande|Griechenland|Türkei|Russland|España|Francia|Alemania|Italia|Inglaterra|Suecia|México|
Brasil|Perú|Rom|Mailand|Venedig|Florenz|Neapel|Lissabon|Prag|Warschau|Kopenhagen|Moskau|Genf|Athen|Straßburg|
Nizza|Londres|Roma|Allemagne|Espagne|Italie|Angleterre|Suisse|Belgique|Pologne|Suède
"""
_REGIONS = """
Alabama|Alaska|Arizona|Arkansas|California|Colorado|Connecticut|Delaware|Florida|Hawaii|Idaho|Illinois|Indiana|
Iowa|Kansas|Kentucky|Louisiana|Maine|Maryland|Massachusetts|Michigan|Minnesota|Mississippi|Missouri|Montana|
Nebraska|Nevada|New Hampshire|New Jersey|New Mexico|North Carolina|North Dakota|Ohio|Oklahoma|Oregon|
Pennsylvania|Rhode Island|South Carolina|South Dakota|Tennessee|Texas|Utah|Vermont|Virginia|West Virginia|
Wisconsin|Wyoming|Ontario|Quebec|Alberta|British Columbia|Nova Scotia|Manitoba|Saskatchewan|Queensland|Tasmania|
New South Wales|Bavaria|Bayern|Sachsen|Saxony|Hessen|Brandenburg|Tuscany|Sicily|Sardinia|Lombardy|Provence|
Normandy|Brittany|Catalonia|Andalusia|Galicia|Algarve|Cornwall|Devon|Yorkshire|Kerala|Goa|Punjab|Bali|
Sumatra|Crete|Corsica|Mallorca|Ibiza|Tenerife|Madeira|Azores|Patagonia|Scandinavia|Europe|Asia|Africa|
South America|North America|Latin America|Middle East|Balkans|Alps|Sylt|Rügen
"""
_CITIES = """
Aachen|Aarhus|Aberdeen|Abu Dhabi|Accra|Addis Ababa|Adelaide|Albuquerque|Alexandria|Algiers|Amman|Amsterdam|
Anchorage|Ankara|Antalya|Antwerp|Athens|Atlanta|Auckland|Augsburg|Austin|Baghdad|Baku|Baltimore|Bangalore|
Bengaluru|Bangkok|Barcelona|Basel|Bath|Beijing|Beirut|Belfast|Belgrade|Bergen|Berlin|Bern|Bilbao|Birmingham|
Bogotá|Bologna|Bonn|Bordeaux|Boston|Boulder|Braga|Brasília|Bratislava|Bremen|Bremerhaven|Brisbane|Bristol|Brno|
Bruges|Brussels|Bruxelles|Brüssel|Bucharest|Budapest|Buenos Aires|Buffalo|Cádiz|Cairo|Calgary|Cambridge|
Canberra|Cancún|Cannes|Cape Town|Caracas|Cardiff|Casablanca|Charleston|Charlotte|Chennai|Chiang Mai|Chicago|
Christchurch|Cincinnati|Cleveland|Cluj|Coimbra|Cologne|Copenhagen|Córdoba|Cork|Cusco|Dakar|Dallas|Damascus|
Darmstadt|Delhi|Denver|Detroit|Dhaka|Doha|Dortmund|Dresden|Dubai|Dublin|Dubrovnik|Duisburg|Düsseldorf|Edinburgh|
Eindhoven|Erfurt|Essen|Faro|Flensburg|Florence|Frankfurt|Freiburg|Gdańsk|Geneva|Genoa|Ghent|Glasgow|Gothenburg|
Göteborg|Göttingen|Granada|Graz|Grenoble|Guadalajara|Hague|Halifax|Hamburg|Hamilton|Hannover|Hanover|Hanoi|
Havana|Heidelberg|Helsinki|Hiroshima|Ho Chi Minh City|Hong Kong|Honolulu|Houston|Hyderabad|Indianapolis|
Innsbruck|Istanbul|Izmir|Jakarta|Jena|Jerusalem|Johannesburg|Kabul|Kansas City|Karachi|Karlsruhe|Kassel|
Kathmandu|Kiel|Kigali|Kingston|Kolkata|Köln|Kraków|Krakow|Kuala Lumpur|Kyiv|Kyoto|Lagos|Lahore|La Paz|Las Vegas|
Lausanne|Leeds|Leicester|Leiden|Leipzig|Leuven|Liège|Lille|Lima|Limerick|Linz|Lisbon|Lisboa|Liverpool|Ljubljana|
London|Los Angeles|Louisville|Lübeck|Lucerne|Luzern|Lyon|Maastricht|Madison|Madrid|Mainz|Málaga|Malmö|
Manchester|Manila|Mannheim|Marrakech|Marseille|Medellín|Melbourne|Memphis|Mexico City|Miami|Milan|Milano|
Milwaukee|Minneapolis|Minsk|Montevideo|Montpellier|Montreal|Montréal|Moscow|Mumbai|Munich|München|Münster|
Nairobi|Nantes|Naples|Nashville|Newcastle|New Delhi|New Orleans|New York City|New York|NYC|Nice|Nottingham|
Nuremberg|Nürnberg|Oakland|Odense|Odesa|Oldenburg|Omaha|Orlando|Osaka|Oslo|Ottawa|Oxford|Palermo|Palma|Paris|
Perth|Philadelphia|Phnom Penh|Phoenix|Pisa|Pittsburgh|Plymouth|Porto|Portland|Potsdam|Prague|Pretoria|Pune|
Quito|Raleigh|Reading|Regensburg|Reykjavik|Riga|Rio de Janeiro|Riyadh|Rome|Rostock|Rotterdam|Sacramento|
Salzburg|San Antonio|San Diego|San Francisco|San José|San Jose|San Juan|San Sebastián|Santiago|São Paulo|
Sarajevo|Savannah|Seattle|Seoul|Sevilla|Seville|Shanghai|Sheffield|Shenzhen|Sofia|Southampton|Split|Stamford|
St. Louis|Stockholm|Strasbourg|Stuttgart|Sydney|Taipei|Tallinn|Tampa|Tampere|Tangier|Tbilisi|Tehran|Tel Aviv|
Tijuana|Tirana|Tokyo|Toronto|Toulouse|Trieste|Trondheim|Tucson|Tunis|Turin|Ulm|Uppsala|Utrecht|Valencia|
Vancouver|Venice|Verona|Vienna|Vilnius|Warsaw|Washington|Washington D.C|Wellington|Wien|Wiesbaden|Winnipeg|
Wrocław|Wuppertal|Würzburg|Yerevan|York|Zagreb|Zürich|Zurich|Roma|Brighton|Long Island|Brooklyn|Manhattan|
Silicon Valley
"""
#: Every place that counts without further evidence, in its usual spelling.
PLACES = tuple(name.strip() for block in (_COUNTRIES, _REGIONS, _CITIES) for name in block.replace("\n", "").split("|"))

#: Those that are words, given names or surnames too (in lower case): only behind a word such as "in".
DOUBTFUL_PLACES = word_set(
    """
    austin bath boulder buffalo carolina chad charlotte cork dallas delaware essen faro florence georgia granada
    hamilton jordan kingston lima madison mali niger nice orlando oman oxford palma panama phoenix reading savannah
    split sofia sydney turkey ulm victoria virginia washington wellington york bergen cambridge santiago diego
    devon split bern milan lincoln lagos hague alexandria brooklyn israel india kenya charleston polen linz plymouth
    newcastle
    """
)
