/** All texts of ours in the frame of the admin's pages and on the dashboard; what a feature says is in its own file. */
export const adminWords = {
  documents: 'Documents',
  team: 'Team',
  settings: 'Settings',
  account: 'Your account',
  welcome: 'Welcome,',
  planOf: (plan: string) => `${plan} plan`,
};
