/** Our own texts about documents; those of the specification are in `contract/messages.ts`. */
export const words = {
  title: 'Documents',
  all: 'All documents',
  uploadFirst: 'Upload the first ones',
  count: (count: number) => (count === 1 ? '1 document' : `${count.toLocaleString()} documents`),
  shown: (shown: number, all: number) => `${shown.toLocaleString()} of ${all.toLocaleString()}`,

  states: {
    ready: 'Ready',
    reading: 'Reading',
    uploading: 'Uploading',
    partial: 'Partly readable',
    failed: 'Failed',
  },
  allStates: 'All states',
  stateLabel: 'State',
  allTags: 'All tags',
  tagLabel: 'Tag',
  allCollections: 'All collections',
  collectionLabel: 'Collection',
  columns: { collection: 'Collection', tags: 'Tags', size: 'Size', uploadedAt: 'Uploaded' },
  chooseColumns: 'Columns',

  waiting: 'Waiting to be read',
  readingPage: (page: number, pages: number) => `Reading page ${page} of ${pages}`,
  partlyReadable: (reason: string | undefined) => (reason ? `Partly readable: ${reason}` : 'Partly readable'),
  failed: (reason: string | undefined) => (reason ? `Failed: ${reason}` : 'Failed'),
  notRead: 'Partly readable: what could not be read',
  pages: (pages: number, locale?: string) => (pages === 1 ? '1 page' : `${pages.toLocaleString(locale)} pages`),
  progressOf: ({ state, name }: { state: string; name: string }) =>
    `${state === 'uploading' ? 'Upload' : 'Reading'} of ${name}`,
  version: (version: number) => `version ${version}`,
  answers: (version: number) => `version ${version} answers`,
  uploadedByKey: (name: string) => `by the API key “${name}”`,
  uploadedBy: (email: string | undefined) => (email === undefined ? 'by someone who has left' : `by ${email}`),

  nothing: {
    ready: 'Nothing is ready yet.',
    reading: 'Nothing is being read.',
    uploading: 'Nothing is being uploaded.',
    partial: 'Nothing is only partly readable.',
    failed: 'Nothing failed.',
    named: 'No document has this in its name.',
    tagged: (tag: string) => `No document has the tag “${tag}”.`,
    both: 'No document is like that.',
  },
  showAll: 'Show all documents',

  addTagsTo: (name: string) => `Add tags to ${name}`,
  editTagsOf: (name: string) => `Edit tags of ${name}`,
  add: 'Add',
  edit: 'Edit',
  tags: 'Tags',
  tagsField: 'Tags, with commas between them',
  tagsFailed: 'The tags could not be saved.',
  cancel: 'Cancel',
  save: 'Save',
  saving: 'Saving...',

  retry: 'Retry',
  replace: 'Replace',
  delete: 'Delete',
  /** For those who hear the page: what is done, and to which row. */
  named: (verb: string, name: string) => `${verb} ${name}`,
  cancelUploadOf: (name: string) => `Cancel the upload of ${name}`,
  newVersion: 'New version',
  retryFailed: 'The file could not be read again.',
  cancelFailed: 'The upload could not be cancelled.',

  deleteOne: 'Delete this file?',
  deleteOneMeans: 'and all its versions will be deleted, and no answer will use it any more. This cannot be undone.',

  select: (name: string) => `Select ${name}`,
  selectAll: (count: number) => (count === 1 ? 'Select the one shown' : `Select all ${count.toLocaleString()} shown`),
  selected: (count: number) => `${count.toLocaleString()} selected`,
  notShown: (count: number) => `${count.toLocaleString()} of them not shown`,
  clear: 'Clear',
  withSelected: 'With the selected documents',
  tagMany: 'Tag',
  retryMany: (count: number, all: number) => (count === all ? 'Retry' : `Retry ${count.toLocaleString()}`),
  stop: 'Stop',
  deleteMany: (count: number) => `Delete ${count.toLocaleString()} documents?`,
  deleteManyMeans: (count: number) =>
    `${count === 1 ? 'It is deleted with all its versions, and no answer will use it' : 'They are deleted with all their versions, and no answer will use them'} any more. This cannot be undone.`,
  more: (count: number) => (count === 1 ? 'and one more' : `and ${count.toLocaleString()} more`),
  tagManyTitle: (count: number) => (count === 1 ? 'Tag 1 document' : `Tag ${count.toLocaleString()} documents`),
  addTags: 'Add tags, with commas between them',
  removeTags: 'Take away',
  tagOn: (tag: string, count: number) => `${tag} (${count.toLocaleString()})`,
  chooseTags: 'Please add a tag, or choose one to take away.',
  doing: { delete: 'Deleting', retry: 'Starting again', tag: 'Saving tags', move: 'Moving' },
  progress: (done: number, total: number) => `${done.toLocaleString()} of ${total.toLocaleString()}`,
  done: {
    delete: (count: number) => (count === 1 ? '1 document deleted.' : `${count.toLocaleString()} documents deleted.`),
    retry: (count: number) =>
      count === 1 ? '1 document is being read again.' : `${count.toLocaleString()} documents are being read again.`,
    tag: (count: number) =>
      count === 1 ? 'Tags of 1 document saved.' : `Tags of ${count.toLocaleString()} documents saved.`,
    move: (count: number) => (count === 1 ? '1 document moved.' : `${count.toLocaleString()} documents moved.`),
  },
  left: {
    delete: (count: number) => `${count.toLocaleString()} could not be deleted. Still selected:`,
    retry: (count: number) => `${count.toLocaleString()} could not be read again. Still selected:`,
    tag: (count: number) => `${count.toLocaleString()} could not be tagged. Still selected:`,
    move: (count: number) => `${count.toLocaleString()} could not be moved. Still selected:`,
  },
  interrupted: 'This did not reach all of them. The rest is still selected.',

  still: 'This list is open in too many places, so it does not change here any more.',
  follow: 'Follow it here',

  planted: 'Speaks to the assistant',
  plantedMeans: (places: number) =>
    `Left out of answers, since it gives orders to a language model${places === 1 ? '' : ` in ${places} places`}. Replace the document if nobody meant to.`,
  plantedKinds: {
    overrides: 'tells an assistant to ignore its rules',
    addresses: 'speaks to an assistant',
    prompts: 'asks for an assistant’s own instructions',
    dictates: 'tells an assistant what to answer',
    secrets: 'asks for secrets, or to send them somewhere',
  },

  used: (used: string, allowed: string) => `${used} of ${allowed} used`,
  storageFull: ': delete files that are no longer needed to upload more',
  diskLowTitle: 'Nothing can be uploaded right now',
  diskLow:
    'The disk of this service is nearly full. Questions are answered as usual. Please tell whoever runs the service to make room.',
} as const;
