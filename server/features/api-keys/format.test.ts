import { createHash } from 'node:crypto';
import { expect, test } from 'vitest';
import fc from '#server/testing/fast-check.ts';
import { isKeyOf, newKey, publicIdIn } from './format.ts';

const made = fc.constant(null).map(newKey);
const character = fc.constantFrom(...'0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz_ -');

test('a key says who it is and proves itself, and only its hash is kept', () => {
  fc.assert(
    fc.property(made, ({ key, publicId, hash }) => {
      expect(key).toMatch(/^fn_[0-9A-Za-z]{12}_[0-9A-Za-z]{38}$/);
      expect(publicIdIn(key)).toBe(publicId);
      expect(hash).toEqual(createHash('sha256').update(key).digest());
      expect(isKeyOf(key, hash)).toBe(true);
    }),
  );
});

test('no two are alike', () => {
  const keys = Array.from({ length: 2000 }, newKey);
  expect(new Set(keys.map(({ key }) => key.slice(16, 48))).size).toBe(keys.length);
  expect(new Set(keys.map(({ publicId }) => publicId)).size).toBe(keys.length);
});

test('the checksum is the CRC-32 that secret scanners compute, in base 62', () => {
  // By Python's zlib.crc32.
  expect(publicIdIn('fn_0123456789AB_abcdefghijklmnopqrstuvwxyz0123450uGDU7')).toBe('0123456789AB');
});

test('whatever is mistyped at one place is no key', () => {
  fc.assert(
    fc.property(made, fc.nat(53), character, ({ key, hash }, at, other) => {
      fc.pre(key[at] !== other);
      const wrong = key.slice(0, at) + other + key.slice(at + 1);
      expect(publicIdIn(wrong)).toBeNull();
      expect(isKeyOf(wrong, hash)).toBe(false);
    }),
  );
});

test('nor is what is cut off, longer, or anything else', () => {
  fc.assert(
    fc.property(made, fc.nat(53), fc.string({ minLength: 1 }), ({ key }, end, more) => {
      for (const wrong of [key.slice(0, end), key + more, more + key, more, `fn_${more}`]) {
        expect(publicIdIn(wrong)).toBeNull();
      }
    }),
  );
});
