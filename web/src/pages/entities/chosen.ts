/** Which entities a graph draws: the most related ones, or those around one. */
import type { Entity, Relation } from "../../api/schema";

export interface Node {
  id: string;
  name: string;
  kind: Entity["kind"];
  /** How many relations of all times it has in the graph. */
  degree: number;
}

/** A relation between two entities. */
export type Edge = Relation & { object_id: string };

export function isEdge(relation: Relation): relation is Edge {
  return relation.object_id != null && relation.object_id !== relation.subject_id;
}

/** The nodes and edges of a graph of at most so many nodes: all, or up to two steps around one; and how many there were. */
export function chosen(relations: Relation[], around: string | null, most: number): { nodes: Node[]; edges: Edge[]; all: number } {
  const edges = relations.filter(isEdge);
  const nodes = new Map<string, Node>();
  for (const each of edges) {
    count(nodes, each.subject_id, each.subject, each.subject_kind);
    count(nodes, each.object_id, each.object, each.object_kind ?? "topic");
  }
  const steps = around === null ? null : distances(edges, around);
  const found = [...nodes.values()].filter(({ id }) => steps === null || steps.has(id));
  const nearness = ({ id }: Node) => steps?.get(id) ?? 0;
  found.sort((one, other) => nearness(one) - nearness(other) || other.degree - one.degree || (one.id < other.id ? -1 : 1));
  const drawn = found.slice(0, most);
  const ids = new Set(drawn.map(({ id }) => id));
  return { nodes: drawn, edges: edges.filter((each) => ids.has(each.subject_id) && ids.has(each.object_id)), all: found.length };
}

function count(nodes: Map<string, Node>, id: string, name: string, kind: Entity["kind"]): void {
  const node = nodes.get(id) ?? { id, name, kind, degree: 0 };
  node.degree += 1;
  nodes.set(id, node);
}

/** How many steps it is to each entity, up to two. */
function distances(edges: Edge[], around: string): Map<string, number> {
  const steps = new Map([[around, 0]]);
  for (const step of [1, 2]) {
    const near = new Set(steps.keys());
    for (const { subject_id, object_id } of edges) {
      if (near.has(subject_id) && !steps.has(object_id)) steps.set(object_id, step);
      if (near.has(object_id) && !steps.has(subject_id)) steps.set(subject_id, step);
    }
  }
  return steps;
}
