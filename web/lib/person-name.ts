/** How a person is called: by the name they gave, else by their e-mail. */
export function personName({ displayName, email }: { displayName?: string | undefined; email: string }): string {
  return displayName?.trim() || email;
}
