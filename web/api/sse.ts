/**
 * Reads server-sent events from text that arrives in pieces split anywhere.
 *
 * @returns a function that takes the next piece and gives the data of every event completed by it. Comments (the
 * server's pings) and fields other than `data` are skipped.
 */
export function eventReader(): (piece: string) => string[] {
  let rest = '';
  let data: string[] = [];
  return (piece) => {
    const events: string[] = [];
    const lines = (rest + piece).split(/\r\n|\n|\r(?!$)/);
    rest = lines.pop() ?? '';
    for (const line of lines) {
      if (line === '') {
        if (data.length > 0) events.push(data.join('\n'));
        data = [];
      } else if (line.startsWith('data:')) {
        data.push(line.slice(line.startsWith('data: ') ? 6 : 5));
      }
    }
    return events;
  };
}
