"""What `bench assistants` asks of a project whose decisions are hard to recognize: they stand in long turns, and some
have none of the words of a decision. It was written by somebody who knew none of the rules."""

from __future__ import annotations

from bench.assistants_blind import CLINIC
from bench.assistants_tasks import SHOP, Project, Task

_HARBOR_TASKS = (
    Task(
        "Lane 3 stood still for twenty minutes yesterday, drivers were honking. Can you see from the logs what hung?",
        "It hung on the pre-advice lookup: the LTE at the outer gate dropped and the screen waited for an answer "
        "that never came. I've put a small SQLite outbox on the box, so a truck gets its ticket first and head "
        "office hears about it when the link is back. That's how the rest of the screens ought to work too, by "
        "the way, none of them may sit there waiting for the network. I only converted the two ticket pages for "
        "now, shall I run the tests?",
        "Truckers should be able to sign for a damaged seal on the touchscreen.",
        "assistant",
        line="none of them may sit there waiting for the network",
    ),
    Task(
        "customs called, we told them twice that MSKU 771204-3 has arrived, and then that it hasn't. wtf happened",
        "right, so that was me clearing a row by hand on friday. Hendrik at the customs office was quite clear "
        "about it on the phone: once a message has left the house it's left the house, you send a replacement "
        "with the same reference and function code 5, you don't tidy up on our side and pretend. they diff "
        "against us. anyway can you make the resend button grey while the ack is outstanding",
        "Six boxes off the Ever Glade went out with the wrong consignee last night. Correct them.",
        line="you send a replacement with the same reference and function code 5",
    ),
    Task(
        "Maersk disputes the December storage invoice, 214 containers. Recalculate one by hand and tell me who's "
        "right.",
        "They are, sadly. I recalculated MRKU 390118-0: somebody edited the amount in January and our rerun of "
        "the December invoice picked up the new figure. What finance and I settled on is that a price is never "
        "overwritten, you close the old row with valid_to and put a new one next to it, and the calculation looks"
        " up whatever was in force on the day the service was rendered rather than the day we print the thing. "
        "Could you write up the 214 as a CSV for Maersk?",
        "Plugging in a reefer goes from 38 to 41.50 euros.",
        line="a price is never overwritten",
    ),
    Task(
        "Gate rejects tank containers of Hoyer, says number invalid. But it's painted on the thing!",
        "Their check digit really is wrong and nobody can repaint the plate. boxid.Parse flags those now instead "
        "of refusing them. I also removed three of the four home-made regexes; one place that understands an "
        "identifier is plenty.",
        "Clerks want to paste a column out of Excel to put a hold on many units in one go.",
        "assistant",
        line="one place that understands an identifier is plenty",
    ),
    Task(
        "How long may the optimiser for the quay cranes think? Right now it sometimes takes a minute.",
        "Eight seconds wall clock, then the best it's got so far. After that Jeroen picks up the radio and does "
        "it himself, I sat next to him and counted. And leave the next two moves of a crane as they are, the "
        "drivers have already seen those.",
        "Take the wind forecast into account when work is divided between STS 1 to 5.",
        line="Eight seconds wall clock, then the best it's got so far",
    ),
    Task(
        "yard shows a box in block C that was loaded on the ship an hour ago. consumer bug?",
        "No. Discharge and load sat in different partitions and one overtook the other. The key used to be the "
        "crane id; it's the container number now, in yard and vessel alike.",
        "Let other services know when a reefer drifts out of its temperature band.",
        "assistant",
        line="it's the container number now",
    ),
    Task(
        "dashboards for moves per hour timed out all morning, Timescale at 100% cpu, what's going on",
        "somebody ran an UPDATE over april. older than a week is compressed, thats history in my book, if a "
        "value's wrong you put a row into telemetry_corrections and the view lays it over the orginal",
        "The spreader load cell of crane 4 was off by 300 kg through all of May, please adjust the data.",
        line="if a value's wrong you put a row into telemetry_corrections",
    ),
    Task(
        "The nightly sweeper deleted our test broker. Who did this and why?",
        "Ines from ops, and she's not sorry :) She insists that anything in the cloud account carries owner, "
        "cost_centre and an expiry, else it's swept at 2 am.",
        "We need somewhere to put the stowage plans that the lines upload, S3 I suppose.",
        line="anything in the cloud account carries owner, cost_centre and an expiry",
    ),
    Task(
        "Planners hate the new bay view. I don't get it, it's prettier in every respect?",
        "Watched Fatima for an hour. One hand on the radio, the other on the numpad, and the old green-screen "
        "thing could be driven blind. Her words: if I have to grab the mouse I've lost the truck. So whatever "
        "they do more than a few times per shift gets a key, listed in the overlay behind the question mark, and "
        "pointing is the extra. Please put the arow keys back in the bay view first.",
        "Add a way to swap two containers within a stack.",
        line="whatever they do more than a few times per shift gets a key",
    ),
    Task(
        "Does it make sense to upgrade the customs service to Kotlin 2 and Ktor 3? Gradle is complaining.",
        "Leave it. Sanne is the last one who reads Kotlin with any pleasure and she's off to Antwerp in the "
        "autumn, so we had a chat with Marc and the thing gets bug fixes until the audit's done and then it's "
        "wound down piece by piece. New message types grow in edi-go next to it; the router already dispatches by"
        " type. Just silence the Gradle warning for me, will you.",
        "From 1 March we have to file the transit declaration CC015C. Implement it.",
        line="New message types grow in edi-go next to it",
    ),
    Task(
        "The 14:10 deploy made the crane tablets reload mid-lift. Nobody was hurt but the shift lead is livid.",
        "Talked to him. Can't blame him. Agreed: while there's a vessel alongside, equipment-facing stuff "
        "(tablets, scheduler, PLC bridge) stays at the version it has, we roll it out in the gap between two "
        "berthings, and `berthctl next-gap` tells you when that is. Back office doesn't care, that can go any "
        "time. Now for the actual bug: why does the tablet reload at all when a new bundle appears, shouldn't the"
        " service worker wait?",
        "The twin-lift fix is merged and green, get it to production.",
        line="we roll it out in the gap between two berthings",
    ),
    Task(
        "How long are we keeping the OCR images of the portal? Disk is 91 % full.",
        "works council says front camera 72 h because you can see who's in the cab, no legal hold folder either. "
        "side and roof 90 days, just steel",
        "Hauliers keep claiming that the dent was there before. Attach everything we photographed on entry to the"
        " claim so that the insurance people have it next year.",
        line="front camera 72 h because you can see who's in the cab",
    ),
    Task(
        "CI was green and still the rollout broke the rebalancing. What are our tests worth?",
        "Honestly, the fake broker we wrote in 2021 acks everything instantly and has no notion of a group, so "
        "the tests were proving that our fake works. I replaced it in vessel-svc with a real Redpanda from "
        "testcontainers, 3 s startup, shared per package. I'd like to stop using fakebus anywhere else, it gives "
        "false comfort; the existing ones can be moved when somebody is in there anyway.",
        "Cover the retry path of the yard move handler, it's at 12 % coverage.",
        "assistant",
        line="I'd like to stop using fakebus anywhere else",
    ),
    Task(
        "Near miss at block F on Sunday, an RTG started moving with a mechanic on the ladder. Was it our software?",
        "Partly. The scheduler pushed a gantry command straight through after the job before was confirmed. The "
        "safety officer (Mrs Okafor) and the crane vendor both signed the same paper afterwards: we may suggest, "
        "a person in the cabin or at the remote desk presses the green button, each single time, and there's no "
        "setting to turn that off, not for tests on site either. I'm putting the paper in docs/safety. Can you "
        "find out whether the lashing platform code has the same shortcut?",
        "When a block is finished, machines stand around idle. Send them on to the next one automatically.",
        line="a person in the cabin or at the remote desk presses the green button",
    ),
    Task(
        "i've got three different ways to talk to postgres in this repo, gorm, squirrel and raw pgx. which one do"
        " i copy?",
        "None of the three, if you ask me. gorm's lazy preloads were behind both outages in spring, and squirrel "
        "strings blow up only at runtime. The appointment service has been on sqlc since June: you write the "
        "statement in a .sql file, `make gen`, the compiler complains if a column's gone. Let's go that way for "
        "whatever gets written from here on, and I'll chip away at the old repositories when it's quiet.",
        "Show each haulier how long its trucks waited at the gate, by week.",
        "assistant",
        line="Let's go that way for whatever gets written from here on",
    ),
)

_HARBOR_TOPICS = (
    ("the berth timeline", "it jumps back to today on refresh", "the scroll offset is kept in the URL"),
    ("the ticket printer", "the last line is half cut", "a feed of 12 mm is sent at the end"),
    ("the weighbridge driver", "it reads 0 after a power cut", "the tare command is repeated"),
    ("the tide widget", "high water is an hour late", "the station's offset is applied"),
    ("the vessel search", "a name with an apostrophe crashes", "the term is escaped"),
    ("the rail manifest upload", "files from Windows are refused", "CRLF is accepted"),
    ("the intercom button", "it stays lit", "the relay is released after hang-up"),
    ("the heat map of the yard", "row 26 is missing", "the loop includes the last row"),
    ("the IMDG icon", "class 6.2 shows the skull", "the biohazard sign is mapped"),
    ("the plate recognition", "a Dutch J is read as I", "the font model was updated"),
    ("the shift handover mail", "it has an empty subject", "the template variable is renamed"),
    ("the truck countdown", "it goes below zero", "it stops at 0:00"),
    ("the PDF of the invoice", "the bank details overlap the footer", "the margin is 20 mm larger"),
    ("the VAT field", "Swiss numbers fail the checksum", "the CHE pattern is known"),
    ("the crane camera tile", "the stream freezes on Firefox", "the codec falls back to H.264"),
    ("the wind gauge", "gusts are shown in knots", "they are converted to m/s"),
    ("the EDIFACT lexer", "an escaped plus splits the element", "the release character is honored"),
    ("the seal number box", "lowercase is turned down", "input is upper-cased"),
    ("the draught survey form", "the comma becomes a thousand", "the locale is passed on"),
    ("the Grafana link", "it opens the wrong day", "milliseconds are sent"),
    ("the empty depot map", "tiles load from http", "the scheme is https"),
    ("the lane display", "the arrow blinks out of sync", "one timer drives all of them"),
    ("the user avatar", "initials are swapped for Hungarian names", "the display name is used"),
    ("the hatch cover list", "it repeats cover 7", "the join is distinct"),
    ("the reefer chart", "the y axis starts at zero kelvin", "the axis is fitted to the data"),
    ("the RFID reader", "tags are seen twice", "reads within a second are merged"),
    ("the password mail", "Outlook hides the button", "a table layout is used"),
    ("the pilot's phone list", "the country code is doubled", "the plus sign is stripped once"),
    ("the stack tooltip", "it covers the tier above", "it opens to the right"),
    ("the gate barrier log", "open is logged as close", "the bit is inverted"),
    ("the health endpoint", "it says ok during startup", "it waits for the first poll"),
    ("the CODECO viewer", "long segments wrap badly", "a monospaced pre is used"),
    ("the barge calendar", "week 53 is blank", "ISO weeks are used"),
    ("the consumer lag alert", "it fires at every restart", "it needs five minutes of lag"),
    ("the customs broker logo", "it is shown sideways", "the EXIF rotation is applied"),
    ("the tablet brightness", "it is blinding at night", "the ambient sensor is read"),
    ("the dunning letter", "it is addressed to 'null'", "the company name is the fallback"),
    ("the terraform plan comment", "it is posted twice", "the old comment is edited"),
    ("the straddle carrier icon", "it faces south", "the heading is negated"),
    ("the loading list export", "port codes lose the country", "all five letters are written"),
)

_HARBOR_PLAIN = tuple(
    """Upgrade Vite to version 7.
Write a README for the weighbridge driver.
Add golangci-lint to the pre-commit hooks.
Draw a diagram of how our services depend on each other.
Change the font of the planner UI to Inter.
Explain what the BGM segment in a COPRAR means.
Rename the package util in billing to money.
Put the terminal's new logo into the page header.
Add a glossary of shipping terms to the wiki.
Translate the login page into Portuguese.
Which Go version does the vessel service use?
Make the invoice PDF use our corporate colours.
Split the 900-line file parser.go of the EDIFACT lexer.
Write release notes for 4.12.
Convert the old Options API components to script setup.
Add a CODEOWNERS file.
Turn on gzip for the static assets of the web UI.
Write a fuzz test for the EDIFACT lexer.
Set up Renovate for the Go modules.
Add the commit hash to the footer of the planner.
Replace moment by date-fns in the berth timeline.
Format all Terraform files.
What does TEU stand for, and how do we count 45 footers?
Write an onboarding page for the new colleague.
Let the structured logs carry the trace id.
Speed up the Docker build of the billing service.
Fix the typos in the comments of the tariff module.
Remove the unused Vue components.
Make the header of the vessel table sticky.
Add a benchmark for the bay geometry functions.""".splitlines()
)

#: Its plain prompts about any code are those of the others.
HARBOR = Project(_HARBOR_TASKS, _HARBOR_TOPICS, (*_HARBOR_PLAIN, *CLINIC.plain[-50:], *SHOP.plain[-20:]), "assistant")
