/** Those that send their person here to allow it, and those that can be told to send a key. */
export const assistants = ['Claude', 'ChatGPT', 'Claude Code', 'Cursor', 'VS Code', 'Others'] as const;
export type Assistant = (typeof assistants)[number];

/** What stands for a key until there is one, as in the other examples. */
const noKey = 'fn_...';

/** What to write for an assistant, and where. @param at.url of the service @param at.apiKey empty: none is known */
export function settingsFor(
  assistant: Assistant,
  { url, apiKey }: { url: string; apiKey: string },
): { where: string; text: string } {
  const mcp = `${url}/mcp/key`;
  const authorization = `Bearer ${apiKey || noKey}`;
  switch (assistant) {
    case 'Claude':
      return {
        where:
          'In the settings, among the connectors, add a custom one with this address. You sign in here, and allow it; no key is needed:',
        text: `${url}/mcp`,
      };
    case 'ChatGPT':
      return {
        where:
          'In the settings, among the apps and connectors, create one with this address, and OAuth as the way to sign in. You sign in here, and allow it; no key is needed:',
        text: `${url}/mcp`,
      };
    case 'Claude Code':
      return {
        where: 'In a terminal:',
        text: `claude mcp add --transport http documents ${mcp} --header "Authorization: ${authorization}"`,
      };
    case 'Cursor':
      return {
        where: 'In ~/.cursor/mcp.json, or .cursor/mcp.json of a project:',
        text: json({ mcpServers: { documents: { url: mcp, headers: { Authorization: authorization } } } }),
      };
    case 'VS Code':
      // It asks for the key once, and keeps it with its secrets: this file is often shared.
      return {
        where: 'In .vscode/mcp.json. VS Code asks for the key, and keeps it apart from the file:',
        text: json({
          inputs: [{ type: 'promptString', id: 'documents-key', description: 'API key', password: true }],
          servers: {
            // biome-ignore lint/suspicious/noTemplateCurlyInString: VS Code puts in what it has asked for.
            documents: { type: 'http', url: mcp, headers: { Authorization: 'Bearer ${input:documents-key}' } },
          },
        }),
      };
    case 'Others':
      return {
        where:
          'Streamable HTTP, the revisions 2026-07-28 and 2025-11-25. Those that sign in by OAuth 2.1 take the first address alone; to the second every message carries a key:',
        text: `${url}/mcp\n\n${mcp}\nAuthorization: ${authorization}`,
      };
  }
}

function json(value: unknown): string {
  return JSON.stringify(value, null, 2);
}
