/** Why a request was not done, as the server's problem+json tells it, or the network. */
import { shared } from "../texts/shared";
import type { ProblemDetails } from "./schema";

export class Problem extends Error {
  constructor(
    /** 0 where no answer came. */
    readonly status: number,
    /** The last part of the problem's type, such as `not-found`. */
    readonly kind: string,
    detail: string,
    readonly requestId: string = "",
  ) {
    super(detail);
  }

  static async of(response: Response): Promise<Problem> {
    // A proxy may return anything.
    const told = (await response.json().catch(() => null)) as Partial<ProblemDetails> | null;
    if (response.status === 401) return new Problem(401, "unauthenticated", shared.failed.over, told?.request_id);
    const refused = told as { status?: unknown; reason?: string } | null;
    if (refused?.status === "rejected") return new Problem(response.status, "rejected", refused.reason ?? shared.failed.status(response.status));
    if (typeof told?.detail !== "string") return new Problem(response.status, "unknown", shared.failed.status(response.status));
    return new Problem(response.status, told.type?.split(":").at(-1) ?? "unknown", told.detail, told.request_id);
  }

  static offline(): Problem {
    return new Problem(0, "offline", shared.failed.offline);
  }
}
