/** Names in a posted form that are no field's: apart, since a page needs them without the reading of forms. */

/** The name of the buttons. No field key starts so. */
export const ACTION_INPUT = "_action";
/** Before the JSON pointer of a place in a schema that asks for a file. */
export const FILE_INPUT = "_file";
