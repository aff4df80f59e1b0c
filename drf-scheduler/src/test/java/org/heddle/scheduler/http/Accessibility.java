// SPDX-License-Identifier: Apache-2.0
package org.heddle.scheduler.http;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.ArrayList;
import java.util.List;

/** Checks an open page with axe-core, whose script is among the resources of the tests. */
public final class Accessibility {
    private static final String AXE = ConsoleFrame.text(Accessibility.class, "axe.min.js");

    private Accessibility() {}

    /** What axe-core finds wrong on the page as it is now: rule, and the elements. */
    public static List<String> findings(Browser browser) throws InterruptedException {
        browser.evaluate("window.axeDone = null; 0");
        browser.evaluate(AXE);
        browser.evaluate("axe.run().then(r => { window.axeDone = r.violations.map("
                + "v => v.id + ': ' + v.nodes.map(n => n.html + ' ' + n.failureSummary).join(' | ')); },"
                + " e => { window.axeDone = ['axe failed: ' + e]; }); 0");
        browser.await("window.axeDone !== null");
        List<String> found = new ArrayList<>();
        for (JsonNode one : browser.evaluate("window.axeDone")) {
            found.add(one.asText());
        }
        return found;
    }

    /** The findings in light and dark, at 1280 and 360 pixels. */
    public static List<String> findingsInAllForms(Browser browser) throws InterruptedException {
        List<String> found = new ArrayList<>();
        for (int width : new int[] {360, 1280}) {
            browser.size(width, 900);
            for (boolean dark : new boolean[] {true, false}) {
                browser.dark(dark);
                for (String finding : findings(browser)) {
                    found.add(width + (dark ? " dark " : " light ") + finding);
                }
            }
        }
        return found;
    }
}
