/** Amounts of money. */
const whole = new Intl.NumberFormat("en-US", { style: "currency", currency: "USD" });
const small = new Intl.NumberFormat("en-US", { style: "currency", currency: "USD", maximumSignificantDigits: 3 });

/** US dollars, with as many digits as a small sum needs. */
export function dollars(amount: string | null | undefined): string {
  const value = Number(amount ?? 0);
  return (value !== 0 && Math.abs(value) < 1 ? small : whole).format(value);
}
