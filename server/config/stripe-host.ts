/** Of a simulator of Stripe that runs by itself: what `STRIPE_HOST` says, as a connection is opened to it. */
export function stripeHost(written: string): { host: string; port: number } {
  const { hostname, port } = new URL(`http://${written}`);
  return { host: hostname.replace(/^\[|\]$/g, ''), port: Number(port || 80) };
}
