/** Where the nodes of a graph stand: springs along the edges, and all nodes pushing each other away (Fruchterman and
 * Reingold 1991), from a spiral that is always the same, so that the same graph always looks the same. */
export interface Place {
  x: number;
  y: number;
}

const STEPS = 240;
/** The angle that puts points of a spiral evenly. */
const GOLDEN = Math.PI * (3 - Math.sqrt(5));

/** Places between 0 and 1, for each of the nodes; `edges` are pairs of their indices, `wide` the width by the height. */
export function layout(count: number, edges: [number, number][], wide: number): Place[] {
  if (count === 1) return [{ x: 0.5, y: 0.5 }];
  const spread = Math.sqrt(wide);
  const places = Array.from({ length: count }, (_, index) => {
    const radius = Math.sqrt((index + 0.5) / count) / 2;
    return { x: radius * Math.cos(index * GOLDEN) * spread, y: (radius * Math.sin(index * GOLDEN)) / spread };
  });
  const ideal = 0.9 / Math.sqrt(count);
  for (let step = 0; step < STEPS; step++) move(places, edges, ideal, 0.1 * (1 - step / STEPS));
  return fitted(places);
}

/** One step: no node moves further than `most`. */
function move(places: Place[], edges: [number, number][], ideal: number, most: number): void {
  // A little pull to the middle, so that parts that nothing connects do not drift away.
  const pull = places.map(({ x, y }) => ({ x: -x * 0.8, y: -y * 0.8 }));
  const push = (one: number, other: number, strength: (distance: number) => number) => {
    const dx = places[one]!.x - places[other]!.x || 1e-4 * (one + 1);
    const dy = places[one]!.y - places[other]!.y || 1e-4;
    const distance = Math.hypot(dx, dy);
    const by = strength(distance) / distance;
    pull[one]!.x += dx * by;
    pull[one]!.y += dy * by;
    pull[other]!.x -= dx * by;
    pull[other]!.y -= dy * by;
  };
  for (let one = 0; one < places.length; one++) {
    for (let other = one + 1; other < places.length; other++) push(one, other, (distance) => (ideal * ideal) / distance);
  }
  for (const [one, other] of edges) push(one, other, (distance) => -(distance * distance) / ideal);
  places.forEach((place, index) => {
    const { x, y } = pull[index]!;
    const length = Math.hypot(x, y) || 1;
    place.x += (x / length) * Math.min(length, most);
    place.y += (y / length) * Math.min(length, most);
  });
}

function fitted(places: Place[]): Place[] {
  const span = (values: number[]) => [Math.min(...values), Math.max(...values)] as const;
  const [left, right] = span(places.map(({ x }) => x));
  const [top, bottom] = span(places.map(({ y }) => y));
  const scaled = (value: number, from: number, to: number) => (to - from < 1e-6 ? 0.5 : (value - from) / (to - from));
  return places.map(({ x, y }) => ({ x: scaled(x, left, right), y: scaled(y, top, bottom) }));
}
