/** Characters of a question, a search, or any other message of a conversation, at most; in UTF-16 code units. */
export const maxQuestionLength = 8000;
