/** Ricordo's mark. */
import mark from "../mark.svg";

export function Mark({ size }: { size: number }) {
  return <img src={mark} width={size} height={size} alt="" />;
}
