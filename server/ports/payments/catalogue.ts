import type Stripe from 'stripe';
import { currency, type PlanName, type PriceOnSale, plans, priceOnSale, pricesOnSale } from '#contract/plans.ts';

/** Our catalogue at the provider: products by id, prices by lookup key. */
export interface Catalogue {
  /** The provider's price, when it is the one that we show. @throws Error when it is missing or different */
  find(priceId: string): Promise<Stripe.Price>;
  /** Our id of a provider's price; null for one that is not in the catalogue. Knows what `find` or `load` has seen. */
  idOf(price: string): string | null;
  /** Reads the prices, unless that was done a short while ago. */
  load(): Promise<void>;
  ensure(): Promise<string[]>;
  check(): Promise<string[]>;
}

const freshMs = 300_000;

export function openCatalogue(stripe: Stripe): Catalogue {
  let prices: Stripe.Price[] = [];
  let loadedAt = -Infinity;

  async function read(): Promise<void> {
    const { data } = await stripe.prices.list({ lookup_keys: pricesOnSale.map(({ id }) => id), limit: 100 });
    prices = data;
    loadedAt = performance.now();
  }

  const catalogue: Catalogue = {
    async find(priceId) {
      const wanted = priceOnSale(priceId);
      if (!wanted) throw new Error(`no price ${priceId} is on sale`);
      await catalogue.load();
      const price = prices.find(({ lookup_key: key }) => key === priceId);
      if (!price || difference(wanted, price) !== null) {
        // It may just have been put right.
        loadedAt = -Infinity;
        throw new Error(`price ${priceId} is not at the provider as it is shown: run npm run stripe:setup`);
      }
      return price;
    },

    idOf: (id) => prices.find((price) => price.id === id)?.lookup_key ?? null,

    async load() {
      if (performance.now() - loadedAt > freshMs) await read();
    },

    async ensure() {
      const done: string[] = [];
      for (const plan of new Set(pricesOnSale.map((price) => price.plan))) {
        if (await ensureProduct(stripe, plan)) done.push(`product ${productId(plan)}`);
      }
      await read();
      for (const wanted of pricesOnSale) {
        const old = prices.find(({ lookup_key: key }) => key === wanted.id);
        if (old && difference(wanted, old) === null) continue;
        await stripe.prices.create({
          product: productId(wanted.plan),
          currency,
          unit_amount: wanted.amount,
          recurring: { interval: 'month', interval_count: wanted.months },
          lookup_key: wanted.id,
          transfer_lookup_key: true,
        });
        // Those who pay it go on doing so; nobody new can choose it.
        if (old) await stripe.prices.update(old.id, { active: false });
        done.push(`price ${wanted.id}`);
      }
      await read();
      return done;
    },

    async check() {
      await read();
      return pricesOnSale.flatMap((wanted) => {
        const price = prices.find(({ lookup_key: key }) => key === wanted.id);
        const problem = price ? difference(wanted, price) : 'is missing';
        return problem === null ? [] : [`price ${wanted.id} ${problem}`];
      });
    },
  };
  return catalogue;
}

/** Says how a price differs from what we show; null when it does not. */
function difference(wanted: PriceOnSale, price: Stripe.Price): string | null {
  if (!price.active) return 'is not active';
  if (price.unit_amount !== wanted.amount || price.currency !== currency) {
    return `is ${price.unit_amount} ${price.currency}, not ${wanted.amount} ${currency}`;
  }
  const months = monthsOf(price.recurring);
  return months === wanted.months ? null : `is for ${months} months, not ${wanted.months}`;
}

/** The length of a price's period; 0 for one that does not recur by months. */
export function monthsOf(recurring: Stripe.Price.Recurring | null): number {
  if (recurring?.interval === 'month') return recurring.interval_count;
  return recurring?.interval === 'year' ? recurring.interval_count * 12 : 0;
}

function productId(plan: PlanName): string {
  return `footnote_${plan}`;
}

/** The plan stands in the product's metadata, where sales can write it on a product of their own as well. */
async function ensureProduct(stripe: Stripe, plan: PlanName): Promise<boolean> {
  const id = productId(plan);
  const name = plan[0]?.toUpperCase() + plan.slice(1);
  const metadata = { plan, seats: String(plans[plan].seats ?? 'unlimited') };
  const { data } = await stripe.products.list({ ids: [id] });
  const [product] = data;
  if (!product) {
    await stripe.products.create({ id, name, metadata });
    return true;
  }
  if (product.active && product.metadata.plan === plan && product.metadata.seats === metadata.seats) return false;
  await stripe.products.update(id, { active: true, metadata });
  return true;
}
