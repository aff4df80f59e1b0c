// SPDX-License-Identifier: Apache-2.0
package org.heddle.scheduler.http;

/** The page under {@code /heddle/}: it loads nothing but the scheduler's own JSON. */
final class SchedulerPage {
    private static final InlinePage PAGE = InlinePage.read(SchedulerPage.class, "page.html", "page.css", "page.js");
    static final byte[] HTML = PAGE.bytes();
    static final String CONTENT_SECURITY_POLICY = PAGE.contentSecurityPolicy();

    private SchedulerPage() {}
}
