import { defineConfig } from 'drizzle-kit';

// `npx drizzle-kit generate` writes the next migration from the tables as they are now.
export default defineConfig({
  dialect: 'postgresql',
  schema: './server/db/schema.ts',
  out: './server/db/migrations',
});
