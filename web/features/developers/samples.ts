/** The languages in which a call is shown. */
export const languages = ['curl', 'TypeScript', 'Python'] as const;
export type Language = (typeof languages)[number];

/** What stands in an example where nobody has given a key. */
const noKey = 'YOUR_API_KEY';

/**
 * A program that makes one call and prints what it answers, to be run as it stands.
 * @param url where the calls are, as `https://…/v1`
 */
export function sampleOf(
  language: Language,
  { url, name, data, key }: { url: string; name: string; data: unknown; key: string },
): string {
  const bearer = key || noKey;
  const address = `${url}/${name}`;
  const json = JSON.stringify({ data }, null, 2);
  if (language === 'curl') {
    return [
      `curl -sS '${address}' \\`,
      `  -H 'Authorization: Bearer ${bearer}' \\`,
      "  -H 'Content-Type: application/json' \\",
      `  -d '${json.replaceAll("'", `'"'"'`)}'`,
    ].join('\n');
  }
  if (language === 'TypeScript') {
    return [
      `const response = await fetch(${JSON.stringify(address)}, {`,
      "  method: 'POST',",
      `  headers: { Authorization: 'Bearer ${bearer}', 'Content-Type': 'application/json' },`,
      `  body: JSON.stringify(${indented(json, 2)}),`,
      '});',
      'const { result, error } = await response.json();',
      'if (error) throw new Error(error.message);',
      'console.log(result);',
    ].join('\n');
  }
  return [
    'import json, urllib.request',
    '',
    `body = json.loads(r"""${json}""")`,
    'request = urllib.request.Request(',
    `    ${JSON.stringify(address)},`,
    '    data=json.dumps(body).encode(),',
    `    headers={"Authorization": "Bearer ${bearer}", "Content-Type": "application/json"},`,
    ')',
    'with urllib.request.urlopen(request) as response:',
    '    print(json.load(response)["result"])',
  ].join('\n');
}

function indented(text: string, by: number): string {
  return text.replaceAll('\n', `\n${' '.repeat(by)}`);
}
