import { discordDriver } from "../../testing/chat/discord-driver.fixture.ts";
import { slackDriver } from "../../testing/chat/slack-driver.fixture.ts";
import { telegramDriver } from "../../testing/chat/telegram-driver.fixture.ts";
import { chatPlatformSuite } from "./chat-platform.suite.ts";

chatPlatformSuite("Telegram", telegramDriver);
chatPlatformSuite("Slack", slackDriver);
chatPlatformSuite("Discord", discordDriver);
