import type { Collection, Group } from '#web/api/collections.ts';
import type { Person } from '#web/api/team.ts';

/** Our own texts about collections and groups. */
export const words = {
  title: 'Collections',
  sub: 'A document is in exactly one collection. Who may not see it finds nothing of it, not even in answers.',
  locked: (plan: string) => `Collections for some people alone, and groups, are part of the ${plan} plan.`,
  lockedMeans:
    'What is restricted stays so. People can be taken out, and collections opened to everyone, but not restricted again.',
  seePlans: 'See the plans',
  add: 'New collection',
  name: 'Name',
  whoSees: 'Who sees it',
  access: { everyone: 'Everyone', restricted: 'Only some' },
  accessMeans: {
    everyone: 'Everyone in the company.',
    restricted: 'The people and groups chosen below, and admins.',
  },
  people: 'People',
  groups: 'Groups',
  noGroups: 'There are no groups yet. You can make them on the page Team.',
  documents: 'Documents',
  count: (count: number) => (count === 1 ? '1 document' : `${count.toLocaleString()} documents`),
  save: 'Save',
  saving: 'Saving...',
  saved: 'Saved. It is in effect now.',
  cancel: 'Cancel',
  delete: 'Delete',
  deleteTitle: 'Delete this collection?',
  deleteMeans: 'Its documents are not deleted. They move to the collection that you choose.',
  moveTo: 'Move its documents to',
  failed: 'This could not be saved. Please try again.',
  loading: 'Loading...',
  all: 'All collections',
  missing: 'This collection does not exist or has been deleted.',
  ownStays: 'It is there from the start: its name and who sees it stay as they are.',
  nameMissing: 'Please give it a name.',

  group: 'Group',
  newGroup: 'New group',
  editGroup: (name: string) => `Edit ${name}`,
  deleteGroup: (name: string) => `Delete ${name}`,
  edit: 'Edit',
  actions: 'Actions',
  noneYet: 'There are no groups yet.',
  choicesNotLoaded: 'The people and groups could not be loaded.',
  groupsNotLoaded: 'The groups could not be loaded.',
  deleteGroupTitle: 'Delete this group?',
  deleteGroupMeans: 'Its people no longer see what they saw only through it.',
  members: (count: number) => (count === 1 ? '1 person' : `${count.toLocaleString()} people`),

  moveMany: 'Move',
  moveManyTitle: (count: number) => (count === 1 ? 'Move 1 document' : `Move ${count.toLocaleString()} documents`),
  moveInto: 'Move to',
  forUpload: 'Collection',
  asItIs: 'Company, or where the file is that is replaced',
} as const;

/** In a sentence, who sees a collection: "Admins see it, and so do anna@example.com and the group Board." */
export function whoSees(
  { access, userIds = [], groupIds = [] }: Pick<Collection, 'access' | 'userIds' | 'groupIds'>,
  { people, groups }: { people: readonly Person[]; groups: readonly Group[] },
): string {
  if (access === 'everyone') return 'Everyone in the company sees it.';
  const named = [
    ...people.filter(({ uid }) => userIds.includes(uid)).map(({ email }) => email),
    ...groups.filter(({ groupId }) => groupIds.includes(groupId)).map(({ name }) => `the group ${name}`),
  ];
  if (named.length === 0) return 'Nobody but admins sees it.';
  const shown = named.length > maxNamed ? [...named.slice(0, maxNamed), `${named.length - maxNamed} more`] : named;
  const list = new Intl.ListFormat('en', { type: 'conjunction' }).format(shown);
  return `Admins see it, and so ${named.length === 1 ? 'does' : 'do'} ${list}.`;
}

const maxNamed = 8;
