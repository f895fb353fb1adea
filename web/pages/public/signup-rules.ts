import { messages } from '#contract/messages.ts';
import { looksLikeEmail } from '#web/lib/email.ts';

export type SignupField = 'companyName' | 'email' | 'password' | 'confirmPassword';
export type SignupFields = Record<SignupField, string>;

/** The first thing wrong with the form, in the order of its fields; null when it can be sent. */
export function firstProblem(fields: SignupFields): { field: SignupField; text: string } | null {
  const { companyName, email, password, confirmPassword } = fields;
  if (companyName.trim() === '') return { field: 'companyName', text: messages.signup.companyNameRequired };
  if (!looksLikeEmail(email.trim())) return { field: 'email', text: messages.team.invalidEmail };
  if (password === '') return { field: 'password', text: 'Please enter a password.' };
  if (password !== confirmPassword) return { field: 'confirmPassword', text: messages.signup.passwordsDiffer };
  return null;
}
