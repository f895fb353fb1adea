/** All texts of ours about exports. */
export const words = {
  notLoaded: 'The exports could not be loaded.',
  ready: 'Ready',
  erasedOn: 'It is erased after 24 hours, on',
  goesAtOnce: '. A document that you delete is taken out of it at once.',
  download: 'Download',
  startNew: 'Start a new export',
  start: 'Start the export',
  progress: 'Progress of the export',
  progressOf: (done: number, all: number, bytesDone: string, bytes: string) =>
    `${done.toLocaleString()} of ${all.toLocaleString()} documents, ${bytesDone} of ${bytes}`,
  writingLists: 'Writing the lists',
  started: (moment: string) => ` · started ${moment}`,
  canLeave: 'You can leave this page. We’ll email you when it is ready.',
  didNotWork: 'This did not work. Please try again.',
};
