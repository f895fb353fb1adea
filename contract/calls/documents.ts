import { z } from 'zod';
import { defineCall } from '../call.ts';

export const fileStates = ['uploading', 'queued', 'processing', 'ready', 'partial', 'failed'] as const;

/** What text does that is written for a language model and not for people. */
export const plantedKinds = [
  /** It says to ignore earlier instructions or rules. */
  'overrides',
  /** It speaks to an assistant, or tells it what it is. */
  'addresses',
  /** It asks for the instructions themselves, or has the marks by which models tell them apart. */
  'prompts',
  /** It says how every answer is to be worded. */
  'dictates',
  /** It asks for secrets, or to have them sent somewhere. */
  'secrets',
] as const;
export type PlantedKind = (typeof plantedKinds)[number];

const plantedPassage = z.object({
  kind: z.enum(plantedKinds),
  page: z.number().int().optional(),
  /** Words of the document, 200 characters at most. */
  text: z.string(),
});
export type PlantedPassage = z.infer<typeof plantedPassage>;

export const companyFile = z.object({
  /** Of the document; while `uploading`, of the upload, which is a row of its own until it is finished. */
  id: z.uuid(),
  name: z.string(),
  /** `<companyId>/<name>` */
  path: z.string(),
  bucket: z.string(),
  /** State and version are those of the newest version. */
  state: z.enum(fileStates),
  /** Bytes while `uploading`, pages while `processing`. */
  progress: z.object({ done: z.number().int(), total: z.number().int() }).optional(),
  /** Plain words: what could not be read, and what to do. */
  reason: z.string().optional(),
  pages: z.number().int().optional(),
  /** Of an attachment: the document of its mail, with which it is deleted. */
  attachedTo: z.uuid().optional(),
  /** Absent: it is in the company's own collection, which everyone sees. */
  collectionId: z.uuid().optional(),
  version: z.number().int(),
  /** The version that answers; absent until one is ready. */
  currentVersion: z.number().int().optional(),
  size: z.number().int(),
  uploadedAt: z.iso.datetime(),
  /** The person's uid; they may have been removed since. */
  uploadedBy: z.uuid().optional(),
  /** Of what one of the company's own API keys has uploaded: what the key is called. `uploadedBy` is its id then. */
  uploadedByKey: z.string().optional(),
  /** As the admin wrote them. */
  tags: z.array(z.string()).optional(),
  /**
   * Of a version that was read: passages that give orders to a language model, which is not given them. The first ten.
   */
  planted: z.array(plantedPassage).optional(),
});
export type CompanyFile = z.infer<typeof companyFile>;

const none = z.null().or(z.object({}).strict());

export const getCompanyFiles = defineCall({
  summary: "All of the company's files with their states, and the uploads under way.",
  input: none,
  output: z.array(companyFile),
  access: 'member',
  scope: 'read',
  feature: null,
  idempotent: true,
});

export const getGoneDocuments = defineCall({
  summary: 'Which of these documents the company has no longer. For whoever holds only a part of the list of files.',
  input: z.object({ documentIds: z.array(z.uuid()).max(200) }).strict(),
  output: z.object({
    /** Those of the input that are deleted, or never were a document of this company. */
    gone: z.array(z.uuid()),
  }),
  access: 'member',
  scope: 'read',
  feature: null,
  idempotent: true,
});

/** Where a stream of changes was left; opaque to clients. */
const cursor = z.string().max(80);

export const watchFiles = defineCall({
  summary:
    'Streams all files and then every change, until the server ends it (about a minute); then ask again, with the last cursor as `since`: only what changed meanwhile is told.',
  input: none.or(z.object({ since: cursor }).strict()),
  output: z.null(),
  message: z.discriminatedUnion('type', [
    z.object({ type: z.literal('files'), files: z.array(companyFile), cursor }),
    z.object({ type: z.literal('resumed'), cursor }),
    z.object({ type: z.literal('changed'), file: companyFile, cursor: cursor.optional() }),
    z.object({ type: z.literal('removed'), id: z.uuid(), cursor: cursor.optional() }),
  ]),
  access: 'member',
  scope: 'read',
  feature: null,
  idempotent: true,
});

export const getFileLink = defineCall({
  summary: 'A link to the original, valid for 10 minutes and as long as the session that asks for it.',
  input: z.object({ gsUri: z.string().max(2048), version: z.number().int().positive().optional() }).strict(),
  output: z.object({ url: z.string() }),
  access: 'member',
  scope: 'read',
  feature: null,
  idempotent: true,
  audit: 'file-opened',
});

export const deleteFile = defineCall({
  summary: 'Deletes a file: from here on nothing shows it and no answer uses it.',
  input: z.object({ filePath: z.string().max(2048) }).strict(),
  output: z.object({ message: z.string() }),
  access: 'admin',
  scope: 'write',
  feature: null,
  idempotent: false,
  audit: 'file-deleted',
  alsoAsData: true,
});

export const retryFile = defineCall({
  summary: 'Reads a failed or partly readable file once more.',
  input: z.object({ documentId: z.uuid() }).strict(),
  output: z.null(),
  access: 'admin',
  scope: 'write',
  feature: 'upload',
  idempotent: false,
  audit: 'file-retried',
});

/** Of one file. */
export const maxTags = 20;

/** A tag: 1 to 50 characters of which one can be seen, none of them a control character; blanks are made single. */
export const tag = z
  .string()
  .max(200)
  .transform((text) => text.normalize('NFC').trim().replace(/ +/g, ' '))
  .refine((text) => text.length <= 50 && text.isWellFormed())
  .refine((text) => /[^\s\p{Default_Ignorable_Code_Point}]/u.test(text) && !/\p{Cc}/u.test(text));

export const setFileTags = defineCall({
  summary: 'Gives a file exactly these tags, 20 at most. Two that differ only in case are one.',
  input: z.object({ documentId: z.uuid(), tags: z.array(tag).max(maxTags) }).strict(),
  output: z.object({ tags: z.array(z.string()) }),
  access: 'admin',
  scope: 'write',
  feature: null,
  idempotent: false,
  audit: 'file-tagged',
});

export const getUpload = defineCall({
  summary: 'The document that a finished upload became (for a client that lost the reply to its last PATCH).',
  input: z.object({ uploadId: z.uuid() }).strict(),
  output: z.object({
    documentId: z.uuid(),
    version: z.number().int(),
    /** The document's name: of a file that was to be kept beside one of its name, a further one. */
    name: z.string(),
    /** Nothing new was made: the newest version of the name had this content already. */
    unchanged: z.literal(true).optional(),
  }),
  access: 'admin',
  scope: 'write',
  feature: null,
  idempotent: true,
});

export const getStorage = defineCall({
  summary:
    'How much the company stores, all versions and unfinished uploads included, and whether there is room for more.',
  input: none,
  output: z.object({
    usedBytes: z.number().int(),
    allowedBytes: z.number().int(),
    /** The disk of the service is nearly full: nobody can upload until whoever runs it has made room. */
    diskIsLow: z.boolean(),
  }),
  access: 'admin',
  scope: 'read',
  feature: null,
  idempotent: true,
});
