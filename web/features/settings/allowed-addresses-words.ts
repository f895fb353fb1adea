/** All texts of ours around the addresses from which people may come. */
export const words = {
  heading: 'Allowed addresses',
  lockedBefore: 'People come in from your own network alone in the',
  lockedAfter: 'plan.',
  stillBefore: 'People come in from these addresses alone. The list can be changed in the',
  stillAfter: 'plan, and removed on every plan.',
  fromAnywhere: 'People can come in from any address.',
  fromThese: 'People come in from these addresses alone, whatever they open.',
  youAreAt: 'You are at',
  addresses: 'Addresses',
  hint: 'One address or range on each line, with a note behind it if you like: 203.0.113.0/24 Berlin office.',
  addMine: 'Add my address',
  remove: 'Remove the list',
  saveTitle: 'Let people in from these addresses alone?',
  saveAction: 'Let in from these alone',
  saveText:
    'It takes effect at once: what people have open elsewhere ends. If nobody is left at one of these addresses, whoever runs this service can remove the list.',
  removeTitle: 'Let people in from any address?',
  removeText: 'It takes effect at once.',
  empty: 'Please enter an address, or remove the list.',
};
