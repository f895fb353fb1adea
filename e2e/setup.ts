import { forgetSeen } from './texts.ts';

export default function setup(): void {
  forgetSeen();
}
