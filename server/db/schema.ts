/**
 * Every table, by what it belongs to. One that holds anything of a company carries `company_id`, starts its key with
 * it, and has the row-level security policy `ofCompany()`; a test lists any that lacks it. Tables without it (signing
 * keys, rate limits) are not granted to the application role at all.
 */
export * from './schema/access.ts';
export * from './schema/analytics.ts';
export * from './schema/analytics-months.ts';
export * from './schema/answers.ts';
export * from './schema/api-keys.ts';
export * from './schema/audit.ts';
export * from './schema/billing.ts';
export * from './schema/columns.ts';
export * from './schema/companies.ts';
export * from './schema/connected-apps.ts';
export * from './schema/documents.ts';
export * from './schema/embedded-identity.ts';
export * from './schema/exports.ts';
export * from './schema/identity.ts';
export * from './schema/mail.ts';
export * from './schema/policies.ts';
export * from './schema/search-tables.ts';
export * from './schema/service.ts';
export * from './schema/uploads.ts';
export * from './schema/webhooks.ts';
