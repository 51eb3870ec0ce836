/** What is known about the user or an entity now: facts by topic, changes, contradictions and plans, with their turns. */
import { ActionIcon, Badge, Card, Menu, Text, TextInput, Title } from "@mantine/core";
import { useState, type ReactNode } from "react";

import { useReadOnly } from "../../api/rights";
import type { AboutFact, About as Known } from "../../api/schema";
import { onDay } from "../../parts/Ago";
import { Dialog, DialogForm, Wrong } from "../../parts/Dialog";
import { Icon } from "../../parts/icons";
import { PointerChip } from "../../parts/PointerChip";
import { Lines, Loaded } from "../../parts/states";
import { entities as words } from "../../texts/entities";
import styles from "./About.module.css";
import { useAbout, useCorrect, useDecide } from "./queries";

const said = words.aboutPage;

/** `name` is the id of an entity; null is the user. */
export function About({ name }: { name: string | null }) {
  const about = useAbout(name);
  return (
    <Card withBorder component="section" aria-label={said.title}>
      <Loaded query={about} skeleton={<Lines count={4} height={28} />}>
        {(found) => <Inside found={found} />}
      </Loaded>
    </Card>
  );
}

function Inside({ found }: { found: Known }) {
  const [correcting, setCorrecting] = useState<AboutFact | null>(null);
  const decide = useDecide();
  const line = (fact: AboutFact) => <Line key={fact.id} fact={fact} onCorrect={() => setCorrecting(fact)} onDecide={decide.mutate} />;
  const topics = [...new Set((found.facts ?? []).map(({ topic }) => topic))];
  const none = !topics.length && !found.changes?.length && !found.contradictions?.length && !found.plans?.length;
  return (
    <>
      <Title order={2}>{found.is_user ? said.me : said.title}</Title>
      <Text size="sm" c="dimmed" mb="xs">
        {none ? said.none : said.about}
      </Text>
      {topics.map((topic) => (
        <Topic key={topic} title={said.topics[topic]}>
          {found.facts?.filter((each) => each.topic === topic).map(line)}
        </Topic>
      ))}
      {found.changes?.length ? (
        <Topic title={said.changes}>
          {found.changes.map(({ at, old, new: next }) => (
            <li key={`${old.id} ${at}`} className={styles.line}>
              <span>
                {old.text} → <b>{next?.object ?? said.ended}</b>
              </span>
              <span className={styles.when}>{onDay(new Date(at))}</span>
              <Sources fact={next ?? old} />
            </li>
          ))}
        </Topic>
      ) : null}
      {found.contradictions?.length ? <Topic title={said.contradictions}>{found.contradictions.flat().map(line)}</Topic> : null}
      {found.plans?.length ? <Topic title={said.plans}>{found.plans.map(line)}</Topic> : null}
      {found.left_out ? (
        <Text size="sm" c="dimmed">
          {said.more(found.left_out)}
        </Text>
      ) : null}
      <Wrong error={decide.error} />
      <Dialog opened={correcting !== null} onClose={() => setCorrecting(null)} title={said.correct.title}>
        {correcting ? <Correct fact={correcting} onClose={() => setCorrecting(null)} /> : null}
      </Dialog>
    </>
  );
}

function Topic({ title, children }: { title: string; children: ReactNode }) {
  return (
    <section className={styles.topic} aria-label={title}>
      <h3>{title}</h3>
      <ul>{children}</ul>
    </section>
  );
}

interface Shown {
  fact: AboutFact;
  onCorrect: () => void;
  onDecide: (decision: { fact: string; decision: "confirm" | "reject" }) => void;
}

function Line({ fact, onCorrect, onDecide }: Shown) {
  const readOnly = useReadOnly();
  return (
    <li className={styles.line}>
      <b>{fact.text}</b>
      {fact.since ? <span className={styles.when}>{said.since(onDay(new Date(fact.since)))}</span> : null}
      {fact.confirmed ? (
        <Badge variant="light" size="sm">
          {said.confirmed}
        </Badge>
      ) : null}
      <Sources fact={fact}>
        <Menu position="bottom-end" width={180}>
          <Menu.Target>
            <ActionIcon variant="subtle" color="gray" aria-label={said.change(fact.text)} disabled={readOnly}>
              <Icon name="dots" size={16} />
            </ActionIcon>
          </Menu.Target>
          <Menu.Dropdown>
            {fact.confirmed ? null : <Menu.Item onClick={() => onDecide({ fact: fact.id, decision: "confirm" })}>{said.confirm}</Menu.Item>}
            <Menu.Item onClick={onCorrect}>{said.correct.title}</Menu.Item>
            <Menu.Item onClick={() => onDecide({ fact: fact.id, decision: "reject" })}>{said.reject}</Menu.Item>
          </Menu.Dropdown>
        </Menu>
      </Sources>
    </li>
  );
}

/** The last turn that states a fact. */
function Sources({ fact, children }: { fact: AboutFact; children?: ReactNode }) {
  const pointer = fact.sources?.at(-1);
  return (
    <span className={styles.end}>
      {pointer ? <PointerChip pointer={pointer} /> : <span className={styles.when}>{said.manual}</span>}
      {children}
    </span>
  );
}

function Correct({ fact, onClose }: { fact: AboutFact; onClose: () => void }) {
  const [object, setObject] = useState(fact.object);
  const correct = useCorrect(fact.id);
  const same = object.trim() === fact.object;
  return (
    <DialogForm action={said.correct.save} change={correct} onSubmit={() => correct.mutate(object, { onSuccess: onClose })} onCancel={onClose} disabled={!object.trim() || same}>
      <TextInput
        label={words.readable(fact.predicate)}
        description={said.correct.about}
        value={object}
        onChange={(event) => setObject(event.currentTarget.value)}
        data-autofocus
        autoComplete="off"
      />
    </DialogForm>
  );
}
