/** A form with a field of every type, for whatever has to show or read all of them. */
export const EVERY_FIELD = [
  { key: "name", label: "Name", type: "text", required: true, hint: "As on the invoice" },
  { key: "why", label: "Why", type: "textarea" },
  { key: "amount", label: "Amount", type: "number", validation: { min: 1, max: 100 } },
  { key: "on", label: "On", type: "date" },
  { key: "mail", label: "Mail", type: "email" },
  { key: "site", label: "Site", type: "url" },
  { key: "sure", label: "I am sure", type: "boolean" },
  {
    key: "size",
    label: "Size",
    type: "select",
    options: [
      { value: "s", label: "Small" },
      { value: "l", label: "Large" },
    ],
  },
  {
    key: "days",
    label: "Days",
    type: "multiselect",
    options: [
      { value: "mo", label: "Monday" },
      { value: "tu", label: "Tuesday" },
    ],
  },
  { key: "level", label: "Level", type: "range" },
  { key: "pin", label: "PIN", type: "text", sensitive: true },
] as const;
