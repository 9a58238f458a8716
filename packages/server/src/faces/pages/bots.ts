/** Programs that fetch a link for a preview. Their requests do not count as opening the page. */

const PREVIEWERS =
  /bot\b|slackbot|twitterbot|telegrambot|whatsapp|discordbot|facebookexternalhit|facebot|linkedinbot|skypeuripreview|microsoftpreview|teamsbot|mattermost|embedly|pinterest|redditbot|applebot|googlebot|bingbot|bingpreview|yandexbot|crawler|spider|preview|curl\/|wget\/|python-requests|go-http-client|headless-link-checker/i;

/** Whether a person opened the page: a GET by a browser that is not prefetching. */
export function isPersonLooking(
  method: string,
  userAgent: string | undefined,
  purpose: string | undefined,
): boolean {
  if (method !== "GET") return false;
  if (purpose !== undefined && /prefetch|preview|prerender/i.test(purpose)) return false;
  return userAgent !== undefined && userAgent !== "" && !PREVIEWERS.test(userAgent);
}
