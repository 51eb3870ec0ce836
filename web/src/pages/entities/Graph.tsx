/** The graph of relations: what held at a moment stands out, what did not is faint. Each node leads to its entity. */
import { useElementSize } from "@mantine/hooks";
import { useMemo } from "react";
import { Link } from "wouter";

import type { Relation } from "../../api/schema";
import { entities as words } from "../../texts/entities";
import { chosen, type Edge, type Node } from "./chosen";
import styles from "./Graph.module.css";
import { layout, type Place } from "./layout";
import { held } from "./moments";

const MARGIN = { x: 74, y: 34 };
/** Edges that are named, at most; more words would hide the graph. */
/** How long an edge must be to be named: the names of its two ends cover a shorter one. The list tells each. */
const NAMEABLE = 80;
const NAMED = { wide: 45, narrow: 12 };

interface Props {
  relations: Relation[];
  /** The entity in the middle, if the graph is of one. */
  around: string | null;
  at: Date;
}

export function Graph({ relations, around, at }: Props) {
  const { ref, width } = useElementSize();
  const narrow = width < 560;
  const height = narrow ? 340 : around === null ? 520 : 400;
  const drawn = useMemo(() => chosen(relations, around, narrow ? 12 : 50), [relations, around, narrow]);
  const places = useMemo(() => placed(drawn, width, height), [drawn, width, height]);
  const live = drawn.edges.filter((edge) => held(edge, at));
  const related = new Set(live.flatMap(({ subject_id, object_id }) => [subject_id, object_id]));
  const faint = ({ id }: Node) => !related.has(id) && id !== around;
  return (
    <div ref={ref} className={styles.frame}>
      <svg className={styles.graph} width={width} height={height} role="group" aria-label={words.graph.label}>
        {width > 0 ? (
          <>
            <g aria-hidden="true">
              {bundled(live).map(([edge, bend]) => (
                <Line key={edge.id} edge={edge} bend={bend} places={places} named={live.length <= NAMED[narrow ? "narrow" : "wide"]} />
              ))}
            </g>
            {drawn.nodes.map((node) => (
              <Dot key={node.id} node={node} place={places.get(node.id)!} faint={faint(node)} chosen={node.id === around} />
            ))}
            <g aria-hidden="true">
              {drawn.nodes.map((node) => (
                <Label key={node.id} node={node} place={places.get(node.id)!} faint={faint(node)} />
              ))}
            </g>
          </>
        ) : null}
      </svg>
      {drawn.all > drawn.nodes.length ? <p className={styles.most}>{words.graph.most(drawn.nodes.length, drawn.all)}</p> : null}
    </div>
  );
}

function placed({ nodes, edges }: { nodes: Node[]; edges: Edge[] }, width: number, height: number): Map<string, Place> {
  const index = new Map(nodes.map(({ id }, at) => [id, at]));
  const pairs = new Set(edges.map((each) => [index.get(each.subject_id)!, index.get(each.object_id)!].sort((a, b) => a - b).join()));
  const found = layout(nodes.length, [...pairs].map((pair) => pair.split(",").map(Number) as [number, number]), Math.max(width, 1) / height);
  return new Map(
    nodes.map(({ id }, at) => [
      id,
      { x: MARGIN.x + found[at]!.x * (width - 2 * MARGIN.x), y: MARGIN.y + found[at]!.y * (height - 2 * MARGIN.y) },
    ]),
  );
}

/** Each edge with how far it bends, so that several between the same two lie side by side. */
function bundled(edges: Edge[]): [Edge, number][] {
  const before = new Map<string, number>();
  return edges.map((edge) => {
    const pair = [edge.subject_id, edge.object_id].sort().join();
    const nth = before.get(pair) ?? 0;
    before.set(pair, nth + 1);
    return [edge, nth * 26 * (edge.subject_id < edge.object_id ? 1 : -1)];
  });
}

function Line({ edge, bend, places, named }: { edge: Edge; bend: number; places: Map<string, Place>; named: boolean }) {
  const from = places.get(edge.subject_id)!;
  const to = places.get(edge.object_id)!;
  const length = Math.hypot(to.x - from.x, to.y - from.y) || 1;
  const along = { x: (to.x - from.x) / length, y: (to.y - from.y) / length };
  const middle = { x: (from.x + to.x) / 2 - along.y * bend, y: (from.y + to.y) / 2 + along.x * bend };
  const tip = { x: to.x - along.x * 14, y: to.y - along.y * 14 };
  const wing = (side: number) => `${tip.x - along.x * 7 - along.y * 3.5 * side} ${tip.y - along.y * 7 + along.x * 3.5 * side}`;
  return (
    <g className={styles.edge} data-contradicted={edge.contradicts?.length ? true : undefined}>
      <path d={`M${from.x} ${from.y}Q${2 * middle.x - (from.x + to.x) / 2} ${2 * middle.y - (from.y + to.y) / 2} ${tip.x} ${tip.y}`} />
      <path className={styles.tip} d={`M${tip.x} ${tip.y}L${wing(1)}L${wing(-1)}Z`} />
      {named && length >= NAMEABLE ? (
        <text x={middle.x} y={middle.y - 3}>
          {words.readable(edge.predicate)}
        </text>
      ) : null}
    </g>
  );
}

function Dot({ node, place, faint, chosen: isChosen }: { node: Node; place: Place; faint: boolean; chosen: boolean }) {
  const radius = radiusOf(node);
  return (
    <Link href={`/${node.id}`} className={styles.node} data-kind={node.kind} data-faint={faint || undefined} data-chosen={isChosen || undefined} aria-label={words.graph.node(node.name, words.kinds[node.kind])}>
      <title>{words.graph.node(node.name, words.kinds[node.kind])}</title>
      <circle cx={place.x} cy={place.y} r={radius + 5} className={styles.ring} />
      <circle cx={place.x} cy={place.y} r={radius} />
    </Link>
  );
}

/** A node's name, cut where it is long: beside the link, which tells all of it. */
function Label({ node, place, faint }: { node: Node; place: Place; faint: boolean }) {
  const name = Array.from(node.name);
  return (
    <text className={styles.name} data-faint={faint || undefined} x={place.x} y={place.y + radiusOf(node) + 14}>
      {name.length > 18 ? `${name.slice(0, 17).join("")}…` : node.name}
    </text>
  );
}

function radiusOf({ degree }: Node): number {
  return 6 + Math.min(6, Math.sqrt(degree) * 1.5);
}
