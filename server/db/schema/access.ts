import { foreignKey, index, pgTable, primaryKey, text, uniqueIndex, uuid } from '../drizzle.ts';
import { createdAt } from './columns.ts';
import { companyId } from './companies.ts';
import { users } from './identity.ts';
import { forUnrestricted, inVisibleCollection, ofCompany } from './policies.ts';

/** What is seen by everyone, or by some alone. Documents in none are in the company's own, which everyone sees. */
export const collections = pgTable(
  'collections',
  {
    companyId: companyId(),
    id: uuid('id').notNull(),
    name: text('name').notNull(),
    /** The name as it is compared. */
    nameKey: text('name_key').notNull(),
    access: text('access', { enum: ['everyone', 'restricted'] }).notNull(),
    createdAt: createdAt(),
  },
  (t) => [
    primaryKey({ columns: [t.companyId, t.id] }),
    uniqueIndex('collections_name').on(t.companyId, t.nameKey),
    ofCompany(),
    inVisibleCollection('id', false),
  ],
);

export const groups = pgTable(
  'groups',
  {
    companyId: companyId(),
    id: uuid('id').notNull(),
    name: text('name').notNull(),
    nameKey: text('name_key').notNull(),
    createdAt: createdAt(),
  },
  (t) => [
    primaryKey({ columns: [t.companyId, t.id] }),
    uniqueIndex('groups_name').on(t.companyId, t.nameKey),
    ofCompany(),
    forUnrestricted(),
  ],
);

export const groupMembers = pgTable(
  'group_members',
  { companyId: companyId(), groupId: uuid('group_id').notNull(), userId: uuid('user_id').notNull() },
  (t) => [
    primaryKey({ columns: [t.companyId, t.groupId, t.userId] }),
    foreignKey({
      name: 'group_members_group_fk',
      columns: [t.companyId, t.groupId],
      foreignColumns: [groups.companyId, groups.id],
    }).onDelete('cascade'),
    foreignKey({
      name: 'group_members_user_fk',
      columns: [t.companyId, t.userId],
      foreignColumns: [users.companyId, users.id],
    }).onDelete('cascade'),
    index('group_members_user').on(t.companyId, t.userId),
    ofCompany(),
    forUnrestricted(),
  ],
);

export const collectionPeople = pgTable(
  'collection_people',
  { companyId: companyId(), collectionId: uuid('collection_id').notNull(), userId: uuid('user_id').notNull() },
  (t) => [
    primaryKey({ columns: [t.companyId, t.collectionId, t.userId] }),
    foreignKey({
      name: 'collection_people_collection_fk',
      columns: [t.companyId, t.collectionId],
      foreignColumns: [collections.companyId, collections.id],
    }).onDelete('cascade'),
    foreignKey({
      name: 'collection_people_user_fk',
      columns: [t.companyId, t.userId],
      foreignColumns: [users.companyId, users.id],
    }).onDelete('cascade'),
    index('collection_people_user').on(t.companyId, t.userId),
    ofCompany(),
    forUnrestricted(),
  ],
);

export const collectionGroups = pgTable(
  'collection_groups',
  { companyId: companyId(), collectionId: uuid('collection_id').notNull(), groupId: uuid('group_id').notNull() },
  (t) => [
    primaryKey({ columns: [t.companyId, t.collectionId, t.groupId] }),
    foreignKey({
      name: 'collection_groups_collection_fk',
      columns: [t.companyId, t.collectionId],
      foreignColumns: [collections.companyId, collections.id],
    }).onDelete('cascade'),
    foreignKey({
      name: 'collection_groups_group_fk',
      columns: [t.companyId, t.groupId],
      foreignColumns: [groups.companyId, groups.id],
    }).onDelete('cascade'),
    index('collection_groups_group').on(t.companyId, t.groupId),
    ofCompany(),
    forUnrestricted(),
  ],
);
