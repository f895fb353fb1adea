/** All texts of ours in place of a page that is not there, or could not be drawn. */
export const words = {
  notFound: 'Not found',
  pageNotFound: 'Page not found',
  mistyped: 'The address may be mistyped, or the page may have moved.',
  goToChat: 'Go to the chat',
  notLoaded: 'This page could not be loaded',
  outside: 'You are outside of your company’s network',
  outsideTitle: 'Outside of the network',
  notReached: 'We could not reach the server',
  tryAgain: 'Try again',
  offline: 'You’re offline. The page opens by itself when you’re back online.',
  noAnswer: 'The server did not answer. The page opens by itself as soon as it does.',
  wentWrong: 'Something went wrong on this page',
  reload: 'Reload',
  nothingLost: 'Nothing that was saved is lost.',
};
