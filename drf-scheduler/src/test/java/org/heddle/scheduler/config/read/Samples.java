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
    static final KnownNames NAMES = KnownNames.of(
            List.of("drf", "fifo"), Map.of("memory-mb", "Mi", "vcores", "", "yarn.io/gpu", "", "disk", "G"));

    /** Uses every element and attribute of the format. */
    public static final String FULL = """
            <?xml version="1.0" encoding="UTF-8"?>
            <heddle-scheduler version="1">
              <resource-weights>
                <resource name="yarn.io/gpu">2.5</resource>
              </resource-weights>
              <allocation>immediate</allocation>
              <node-choice>pack</node-choice>
              <max-assign>4</max-assign>
              <scheduling-delays>
                <node-locality>500ms</node-locality>
                <rack-locality>2s</rack-locality>
                <reservation>1min</reservation>
                <max-reserved-nodes>10%</max-reserved-nodes>
              </scheduling-delays>
              <preemption>
                <mode>dry-run</mode>
                <grace-period>20s</grace-period>
                <max-per-second>2%</max-per-second>
                <reservation-timeout>1min</reservation-timeout>
                <cluster-utilization-threshold>50%</cluster-utilization-threshold>
                <application-masters>never</application-masters>
              </preemption>
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
                  <default-application-lifetime>30min</default-application-lifetime>
                  <node-labels>gpu, fast</node-labels>
                  <allow-preemption-from>false</allow-preemption-from>
                  <fair-share-preemption-timeout>never</fair-share-preemption-timeout>
                  <submit users="alice,bob" groups="physics chemistry"/>
                  <queue name="sort">
                    <state>stopped</state>
                    <max-applications>40</max-applications>
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
                    <max-resources-per-application>
                      <resource name="vcores">6</resource>
                    </max-resources-per-application>
                    <max-running-apps>20</max-running-apps>
                    <max-running-apps-per-user>2</max-running-apps-per-user>
                    <max-am-share>25%</max-am-share>
                    <max-application-priority users="alice">9</max-application-priority>
                    <max-application-priority>3</max-application-priority>
                    <default-node-label>fast</default-node-label>
                    <node-label name="gpu">
                      <max-resources><resource name="memory-mb">70%</resource></max-resources>
                      <guaranteed-resources><resource name="memory-mb">50%</resource></guaranteed-resources>
                    </node-label>
                    <node-label name="fast"><max-resources><resource name="vcores">9</resource></max-resources></node-label>
                    <guaranteed-resources>
                      <resource name="memory-mb">8 GiB</resource>
                    </guaranteed-resources>
                    <guarantee-preemption-timeout>5s</guarantee-preemption-timeout>
                    <fair-share-preemption-threshold>50%</fair-share-preemption-threshold>
                    <fair-share-preemption-target>80%</fair-share-preemption-target>
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
        return new SpecReader(NAMES);
    }

    public static SchedulerSpec read(String text) throws ConfigurationException {
        return reader().read("heddle-scheduler.xml", text.getBytes(StandardCharsets.UTF_8));
    }

    /** A file with nothing in it but {@code inside} the root queue. */
    public static String queues(String inside) {
        return "<heddle-scheduler version=\"1\"><queue name=\"root\">\n" + inside + "</queue></heddle-scheduler>";
    }
}
