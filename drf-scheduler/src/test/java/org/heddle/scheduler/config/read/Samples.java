// SPDX-License-Identifier: Apache-2.0
package org.heddle.scheduler.config.read;

import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import org.heddle.scheduler.config.ConfigurationException;
import org.heddle.scheduler.config.KnownNames;
import org.heddle.scheduler.model.SchedulerSpec;

/** Files and readers that the tests of this package share. */
public final class Samples {
    static final KnownNames VOCABULARY = KnownNames.of(
            List.of("drf", "fifo"), Map.of("memory-mb", "Mi", "vcores", "", "yarn.io/gpu", "", "disk", "G"));

    /** Uses every element and attribute of the format. */
    public static final String FULL = """
            <?xml version="1.0" encoding="UTF-8"?>
            <heddle-scheduler version="1">
              <resource-weights>
                <resource name="yarn.io/gpu">2.5</resource>
              </resource-weights>
              <max-assign>4</max-assign>
              <waits>
                <node-locality>500ms</node-locality>
                <rack-locality>2s</rack-locality>
                <reservation>1min</reservation>
                <reservation-expiry>1h</reservation-expiry>
                <max-reserved-nodes>10%</max-reserved-nodes>
              </waits>
              <revocation>
                <mode>dry-run</mode>
                <grace>20s</grace>
                <max-per-second>2%</max-per-second>
                <reservation-stuck>1min</reservation-stuck>
                <min-utilization>50%</min-utilization>
                <masters>never</masters>
              </revocation>
              <placement>
                <specified/>
                <user parent="root.science"/>
                <primary-group/>
                <fixed queue="root.etl"/>
              </placement>
              <queue name="root">
                <order>drf</order>
                <submit/>
                <administer users="root"/>
                <max-resources>
                  <resource name="memory-mb">1 TiB</resource>
                  <resource name="vcores">90%</resource>
                </max-resources>
                <queue name="science">
                  <weight>3</weight>
                  <weight resource="vcores">1.5</weight>
                  <max-running-apps>100</max-running-apps>
                  <max-application-lifetime>2h</max-application-lifetime>
                  <application-lifetime>30min</application-lifetime>
                  <node-labels>gpu, fast</node-labels>
                  <revocable>false</revocable>
                  <below-share>never</below-share>
                  <submit users="alice,bob" groups="physics chemistry"/>
                  <queue name="sort">
                    <order>fifo</order>
                    <user-order>drf</user-order>
                    <max-resources>
                      <resource name="memory-mb">64 GiB</resource>
                      <resource name="memory-mb">50%</resource>
                      <resource name="disk">2 TB</resource>
                    </max-resources>
                    <max-resources-per-user>
                      <resource name="vcores">8</resource>
                    </max-resources-per-user>
                    <max-running-apps>20</max-running-apps>
                    <max-running-apps-per-user>2</max-running-apps-per-user>
                    <max-am-share>25%</max-am-share>
                    <default-node-label>fast</default-node-label>
                    <guaranteed-resources>
                      <resource name="memory-mb">8 GiB</resource>
                    </guaranteed-resources>
                    <below-guarantee>5s</below-guarantee>
                    <share-threshold>50%</share-threshold>
                    <share-restored>80%</share-restored>
                    <user name="alice"><weight>2</weight><weight resource="memory-mb">0</weight></user>
                  </queue>
                  <queue name="&lt;script&gt;"/>
                </queue>
                <queue name="nightly">
                  <plan>
                    <agent>x.Agent</agent>
                    <planner>x.Planner</planner>
                    <admission>x.Admission</admission>
                    <window>2h</window>
                    <average>25%</average>
                    <peak>0.5</peak>
                    <enforcement-window>1min</enforcement-window>
                    <on-expiry>kill</on-expiry>
                    <submit-reservations users="alice"/>
                    <list-reservations users="*"/>
                    <administer-reservations/>
                  </plan>
                </queue>
                <queue name="etl">
                  <weight>0</weight>
                  <submit users="*"/>
                </queue>
              </queue>
            </heddle-scheduler>
            """;

    private Samples() {}

    static SpecReader reader() {
        return new SpecReader(VOCABULARY);
    }

    public static SchedulerSpec read(String text) throws ConfigurationException {
        return reader().read("heddle-scheduler.xml", text.getBytes(StandardCharsets.UTF_8));
    }

    /** A file with nothing in it but {@code inside} the root queue. */
    static String queues(String inside) {
        return "<heddle-scheduler version=\"1\"><queue name=\"root\">\n" + inside + "</queue></heddle-scheduler>";
    }
}
